/** The valid values of a channel's fields. */
import { findModel, type Model } from "../catalog/models";
import { type StreamSetting, streamSettings } from "../contract/channel-profile";
import {
  chatFieldName,
  neverPassingChatFields,
  type OutputCap,
  outputCaps,
  ownChatFields,
  passingChatFields,
} from "../contract/chat-fields";
import {
  ALLOWED_FIELDS_MAX,
  channelBounds,
  NAME_LENGTH_MAX,
  UPSTREAM_KEY_LENGTH_MAX,
  UPSTREAM_MODEL_LENGTH_MAX,
} from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { type ChannelProtocol, protocolFamilies } from "../contract/states";
import { invalidValue } from "../failures/relay-error";

export function cleanName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > NAME_LENGTH_MAX || !isShownText(name))
    throw invalidValue(
      "name",
      `A channel's name must be one line of 1 to ${NAME_LENGTH_MAX} characters.`,
    );
  return name;
}

export function cleanApiKey(apiKey: string, param = "api_key"): string {
  if (apiKey.length > UPSTREAM_KEY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalidValue(
      param,
      `The API key must have 1 to ${UPSTREAM_KEY_LENGTH_MAX} printable characters without spaces.`,
    );
  }
  return apiKey;
}

export function cleanBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw invalidValue("base_url", "The base URL must start with http:// or https://.");
  if (url.username !== "" || url.password !== "")
    throw invalidValue(
      "base_url",
      "The base URL must not contain credentials: send the API key separately.",
    );
  if (url.search !== "" || url.hash !== "")
    throw invalidValue("base_url", "The base URL must not have a query or a fragment.");
  return url.href.replace(/(?<!\/)\/+$/, "");
}

/**
 * Refuses a family that the protocol cannot carry, and what cannot be an upstream's name. `id` is
 * the name by which the caller knows the model.
 */
export function assertMappable(
  { id, family }: Pick<Model, "id" | "family">,
  upstreamName: string,
  { protocol, isKept = false }: { readonly protocol: ChannelProtocol; readonly isKept?: boolean },
): void {
  const families = protocolFamilies[protocol];
  if (!isKept && !families.includes(family))
    throw invalidValue(
      "models",
      `models has ${id}, a ${family} model: a channel of the protocol ${protocol} allows models of ${families.join(", ")}.`,
    );
  if (upstreamName.length > UPSTREAM_MODEL_LENGTH_MAX || !/^\S+$/.test(upstreamName))
    throw invalidValue(
      "models",
      `The upstream's name for ${id} must have 1 to ${UPSTREAM_MODEL_LENGTH_MAX} characters without spaces.`,
    );
}

export const noModelsLeft = () =>
  invalidValue("models", "A channel must offer at least one model.");

/**
 * `kept`: models that the channel's row has already. They may stay, whatever the protocol was once
 * allowed to carry.
 */
export function cleanModels(
  models: Readonly<Record<string, string>>,
  protocol: ChannelProtocol,
  kept: object = {},
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, upstreamName] of Object.entries(models)) {
    const model = findModel(name);
    if (model === undefined) throw invalidValue("models", `There is no model ${name}.`);
    const named = { id: name, family: model.family };
    assertMappable(named, upstreamName, { protocol, isKept: Object.hasOwn(kept, model.id) });
    clean[model.id] = upstreamName;
  }
  if (Object.keys(clean).length === 0) throw noModelsLeft();
  return clean;
}

/** The limits of a channel: how much it is used, and how long it may take. */
export interface ChannelBounds {
  /** 0: no limit. */
  readonly requestsPerSecond?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly priority?: number | undefined;
  readonly weight?: number | undefined;
  /** Of the channel's own credential, where it has further ones. */
  readonly credentialWeight?: number | undefined;
  readonly timeoutSeconds?: number | null | undefined;
}

function cleanNumber(
  param: string,
  value: number | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (value !== undefined && (!Number.isInteger(value) || value < min || value > max)) {
    throw invalidValue(
      param,
      `${param} is ${value}: it must be a whole number from ${min} to ${max}.`,
    );
  }
  return value;
}

/** Checks the given fields; those that are not given stay undefined. */
export function cleanBounds(bounds: ChannelBounds): ChannelBounds {
  return {
    requestsPerSecond: cleanNumber(
      "rps",
      bounds.requestsPerSecond,
      channelBounds.requestsPerSecond,
    ),
    requestsPerMinute: cleanNumber(
      "rpm",
      bounds.requestsPerMinute,
      channelBounds.requestsPerMinute,
    ),
    priority: cleanNumber("priority", bounds.priority, channelBounds.priority),
    weight: cleanNumber("weight", bounds.weight, channelBounds.weight),
    credentialWeight: cleanNumber(
      "credential_weight",
      bounds.credentialWeight,
      channelBounds.credentialWeight,
    ),
    timeoutSeconds:
      bounds.timeoutSeconds === null
        ? null
        : cleanNumber("timeout_seconds", bounds.timeoutSeconds, channelBounds.timeoutSeconds),
  };
}

export interface ChatTerms {
  /** Fields that are passed to its upstream in addition to the usual ones. */
  readonly allowedFields?: readonly string[] | undefined;
  /** Null for the protocol's default. */
  readonly outputCap?: OutputCap | null | undefined;
  readonly streams?: StreamSetting | undefined;
}

function cleanAllowedFields(names: readonly string[]): string[] {
  const clean = [...new Set(names.map((name) => name.trim()))].filter(
    (name) => !Object.hasOwn(passingChatFields, name),
  );
  for (const name of clean) {
    if (!chatFieldName.test(name))
      throw invalidValue(
        "allowed_fields",
        `${JSON.stringify(name.slice(0, 80))} is not a valid field name.`,
      );
    if (ownChatFields.has(name))
      throw invalidValue(
        "allowed_fields",
        `${name} cannot be allowed: the relay sets or rejects it itself.`,
      );
    if (neverPassingChatFields.has(name)) {
      throw invalidValue(
        "allowed_fields",
        `${name} cannot be allowed: it multiplies an answer beyond its hold.`,
      );
    }
  }
  if (clean.length > ALLOWED_FIELDS_MAX)
    throw invalidValue(
      "allowed_fields",
      `A channel can allow at most ${ALLOWED_FIELDS_MAX} additional fields.`,
    );
  return clean;
}

/** Checks the given fields; those that are not given stay undefined. */
export function cleanChatTerms({ allowedFields, outputCap, streams }: ChatTerms): {
  allowedFields: string[] | undefined;
  outputCap: OutputCap | null | undefined;
  streams: StreamSetting | undefined;
} {
  if (outputCap !== undefined && outputCap !== null && !outputCaps.includes(outputCap)) {
    throw invalidValue("output_cap", `The output cap must be one of ${outputCaps.join(", ")}.`);
  }
  if (streams !== undefined && !streamSettings.includes(streams))
    throw invalidValue("streams", `Streams must be one of ${streamSettings.join(", ")}.`);
  return {
    allowedFields: allowedFields === undefined ? undefined : cleanAllowedFields(allowedFields),
    outputCap,
    streams,
  };
}
