/** A channel of a source as one of ours, or why it cannot be one. */
import { cleanBaseUrl } from "../channels/channel-fields";

import type { NewChannel } from "../commands/channels";
import {
  CHANNEL_CREDENTIALS_MAX,
  channelBounds,
  NAME_LENGTH_MAX,
  UPSTREAM_KEY_LENGTH_MAX,
} from "../contract/limits";
import { isShownText } from "../contract/shown-text";
import { isRelayError } from "../failures/relay-error";
import { isRecord } from "../values/records";
import type { Product } from "./book";
import { addressOf, channelTypes } from "./channel-types";
import { type SourceRow, text, whole } from "./sources/source";

export type MovedChannel =
  | { readonly channel: NewChannel; readonly isEnabled: boolean; readonly remarks: string[] }
  | { readonly refusal: string };

function parsedObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Several credentials are on a line each, and those that are switched off are listed by place. */
function keysOf(row: SourceRow): string[] {
  const lines = text(row, "key")
    .split("\n")
    .map((line) => line.trim());
  const statuses = parsedObject(text(row, "channel_info")).multi_key_status_list;
  const isUsed = (place: number) =>
    !isRecord(statuses) || statuses[place] === undefined || statuses[place] === 1;
  return [...new Set(lines.filter((line, place) => line !== "" && isUsed(place)))];
}

const within = ({ min, max }: { min: number; max: number }, value: bigint) =>
  Math.min(max, Math.max(min, Number(value)));

/** A name of ours, different from those in use. */
export function freeName(wanted: string, spare: string, isTaken: (name: string) => boolean) {
  const shown = isShownText(wanted.trim()) ? wanted.trim() : "";
  const name = shown.slice(0, NAME_LENGTH_MAX - 12) || spare;
  return isTaken(name) ? `${name} ${spare}`.slice(0, NAME_LENGTH_MAX) : name;
}

/** Our models → the upstream's names for them, of those that moved. */
function mappedModels(row: SourceRow, models: ReadonlyMap<string, string>) {
  const mapping = parsedObject(text(row, "model_mapping"));
  return Object.fromEntries(
    text(row, "models")
      .split(",")
      .flatMap((part) => {
        const name = part.trim();
        const id = models.get(name);
        const upstream = mapping[name];
        const known = typeof upstream === "string" && upstream !== "" ? upstream : name;
        return id === undefined ? [] : [[id, known]];
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
  const mapped = mappedModels(row, models);
  if (Object.keys(mapped).length === 0) return { refusal: "none of its models moved" };
  const [apiKey = null, ...others] = keysOf(row);
  if (![apiKey ?? "x", ...others].every(isKey))
    return { refusal: "its credential is a file or has spaces: make the channel by hand" };
  const remarks: string[] = [];
  if (others.length > CHANNEL_CREDENTIALS_MAX)
    remarks.push(`only ${CHANNEL_CREDENTIALS_MAX + 1} of its credentials moved`);
  for (const field of ["header_override", "param_override"])
    if (Object.keys(parsedObject(text(row, field))).length > 0)
      remarks.push(`its ${field} did not move: set it by hand`);
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
  return { channel, isEnabled: text(row, "status") === "1", remarks };
}

/** The groups whose requests may go through a channel. */
export const groupsOf = (row: SourceRow): string[] =>
  text(row, "group")
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
