/** A channel of a source as one of ours, or why it cannot be one. */

import { cleanBaseUrl } from "../channels/channel-fields";
import type { NewChannel } from "../commands/channels";
import {
  CHANNEL_CREDENTIALS_MAX,
  channelBounds,
  NAME_LENGTH_MAX,
  UPSTREAM_KEY_LENGTH_MAX,
} from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { isRelayError } from "../failures/relay-error";
import { membersIn } from "../values/json-in";
import { isRecord } from "../values/records";
import type { Product } from "./book";
import { addressOf, channelTypes } from "./channel-types";
import { type SourceRow, text, whole } from "./sources/source";

export type MovedChannel =
  | { readonly channel: NewChannel; readonly isEnabled: boolean; readonly remarks: string[] }
  | { readonly refusal: string };

/**
 * Several credentials are on a line each, and those that are switched off are listed by place. Where
 * all are, `isOff`.
 */
function keysOf(row: SourceRow): { keys: string[]; isOff: boolean } {
  const lines = text(row, "key")
    .replace(/^\n+/, "")
    .split("\n")
    .map((line) => line.trim());
  const statuses = membersIn(text(row, "channel_info")).multi_key_status_list;
  const isUsed = (place: number) =>
    !isRecord(statuses) || statuses[place] === undefined || statuses[place] === 1;
  const all = new Set(lines.filter((line) => line !== ""));
  const used = new Set(lines.filter((line, place) => line !== "" && isUsed(place)));
  const isOff = all.size > 0 && used.size === 0;
  return { keys: [...(isOff ? all : used)], isOff };
}

const within = ({ min, max }: { min: number; max: number }, value: bigint) =>
  Math.min(max, Math.max(min, Number(value)));

/** A name of ours, different from those in use. */
export function freeName(wanted: string, spare: string, isTaken: (name: string) => boolean) {
  const shown = isShownText(wanted.trim()) ? wanted.trim() : "";
  const name = shown.slice(0, NAME_LENGTH_MAX - 12) || spare;
  return isTaken(name) ? `${name} ${spare}`.slice(0, NAME_LENGTH_MAX) : name;
}

/** new-api follows a name to the end of its chain, one-api one step. What leads back is not followed. */
function upstreamName(mapping: Record<string, unknown>, name: string, product: Product): string {
  const seen = new Set([name]);
  for (let known = name; ; ) {
    const next = mapping[known];
    if (typeof next !== "string" || next === "" || seen.has(next)) return known;
    if (product === "one-api") return next;
    seen.add(next);
    known = next;
  }
}

/** Our models → the upstream's names for them, of those that moved. */
function mappedModels(row: SourceRow, models: ReadonlyMap<string, string>, product: Product) {
  const mapping = membersIn(text(row, "model_mapping"));
  return Object.fromEntries(
    text(row, "models")
      .split(",")
      .flatMap((part) => {
        const name = part.trim();
        const id = models.get(name);
        return id === undefined ? [] : [[id, upstreamName(mapping, name, product)]];
      }),
  );
}

const isKey = (key: string) => key.length <= UPSTREAM_KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key);

function refusalOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (isRelayError(error)) return error.message;
    throw error;
  }
}

/** What it does beside its address, and is made by hand here. */
function notMoved(row: SourceRow): string[] {
  const filled = ["header_override", "param_override", "status_code_mapping"].filter(
    (field) => Object.keys(membersIn(text(row, field))).length > 0,
  );
  // Its switches are there also where they are off.
  if (Object.values(membersIn(text(row, "setting"))).some(Boolean)) filled.push("setting");
  filled.push(...["openai_organization", "system_prompt"].filter((field) => text(row, field)));
  return filled.map((field) => `its ${field} did not move: set it by hand`);
}

export function channelInput(
  row: SourceRow,
  product: Product,
  models: ReadonlyMap<string, string>,
  isTaken: (name: string) => boolean,
): MovedChannel {
  const type = channelTypes[product][text(row, "type")];
  if (type === undefined)
    return { refusal: `its type ${text(row, "type")} speaks none of our protocols` };
  const baseUrl = addressOf(type, text(row, "base_url"));
  if (baseUrl === "") return { refusal: "it names no address" };
  const refusal = refusalOf(() => cleanBaseUrl(baseUrl));
  if (refusal !== null) return { refusal };
  const mapped = mappedModels(row, models, product);
  if (Object.keys(mapped).length === 0) return { refusal: "none of its models moved" };
  const { keys, isOff } = keysOf(row);
  const [apiKey = null, ...others] = keys;
  if (![apiKey ?? "x", ...others].every(isKey))
    return { refusal: "its credential is a file or has spaces: make the channel by hand" };
  const remarks = notMoved(row);
  if (others.length > CHANNEL_CREDENTIALS_MAX)
    remarks.push(`only ${CHANNEL_CREDENTIALS_MAX + 1} of its credentials moved`);
  if (isOff) remarks.push("all of its credentials are switched off there: it is disabled");
  const channel: NewChannel = {
    name: freeName(text(row, "name"), `channel ${text(row, "id")}`, isTaken),
    protocol: type.protocol,
    baseUrl,
    apiKey,
    credentials: others.slice(0, CHANNEL_CREDENTIALS_MAX).map((key, place) => ({
      name: `key-${place + 2}`,
      apiKey: key,
    })),
    models: mapped,
    requestsPerSecond: 0,
    requestsPerMinute: 0,
    priority: within(channelBounds.priority, whole(row, "priority")),
    weight: within(channelBounds.weight, whole(row, "weight")),
  };
  return { channel, isEnabled: text(row, "status") === "1" && !isOff, remarks };
}

/** The groups whose requests may go through a channel. */
export const groupsOf = (row: SourceRow): string[] =>
  text(row, "group")
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
