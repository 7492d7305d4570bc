/** What the form of a channel holds while it is typed, and what is sent. */
import { models } from "@/lib/catalog/models";
import { chatFieldName, type OutputCap } from "@/lib/contract/chat-fields";
import {
  CHANNEL_REQUESTS_PER_MINUTE_DEFAULT,
  CHANNEL_REQUESTS_PER_SECOND_DEFAULT,
  channelBounds,
  UPSTREAM_KEY_LENGTH_MAX,
  UPSTREAM_MODEL_LENGTH_MAX,
} from "@/lib/contract/limits";
import type {
  ChangeChannelBody,
  ChannelView,
  CreateChannelBody,
} from "@/lib/contract/operator-channels";

export type Protocol = ChannelView["protocol"];

export interface ChannelInput {
  name: string;
  protocol: Protocol;
  baseUrl: string;
  /** Empty: none, or the one there is. */
  apiKey: string;
  /** Catalogue identifier → the upstream's name; only those offered. */
  models: Record<string, string>;
  requestsPerSecond: string;
  requestsPerMinute: string;
  priority: string;
  weight: string;
  /** Empty: the protocol's own. */
  timeoutSeconds: string;
  /** Names with commas or spaces between. */
  allowedFields: string;
  /** Empty: the protocol's own. */
  outputCap: OutputCap | "";
}

export const numberFields = [
  "requestsPerSecond",
  "requestsPerMinute",
  "priority",
  "weight",
  "timeoutSeconds",
] as const;
type NumberField = (typeof numberFields)[number];
export type ChannelProblem =
  | "name"
  | "baseUrl"
  | "apiKey"
  | "models"
  | "allowedFields"
  | NumberField;

/** The fields that most channels leave as they are. */
export const foldedFields = [...numberFields, "allowedFields", "outputCap"] as const;

/** Field names as the server's failures use them. */
const serverFields: Readonly<Record<string, keyof ChannelInput>> = {
  base_url: "baseUrl",
  api_key: "apiKey",
  rps: "requestsPerSecond",
  rpm: "requestsPerMinute",
  timeout_seconds: "timeoutSeconds",
  allowed_fields: "allowedFields",
  output_cap: "outputCap",
};

export const fieldOf = (param: string | null): string | null =>
  param === null ? null : (serverFields[param] ?? param);

export const emptyChannel: ChannelInput = {
  name: "",
  protocol: "openai",
  baseUrl: "",
  apiKey: "",
  models: {},
  requestsPerSecond: String(CHANNEL_REQUESTS_PER_SECOND_DEFAULT),
  requestsPerMinute: String(CHANNEL_REQUESTS_PER_MINUTE_DEFAULT),
  priority: "0",
  weight: "1",
  timeoutSeconds: "",
  allowedFields: "",
  outputCap: "",
};

export const inputOf = (channel: ChannelView): ChannelInput => ({
  name: channel.name,
  protocol: channel.protocol,
  baseUrl: channel.baseUrl,
  apiKey: "",
  models: { ...channel.models },
  requestsPerSecond: String(channel.requestsPerSecond),
  requestsPerMinute: String(channel.requestsPerMinute),
  priority: String(channel.priority),
  weight: String(channel.weight),
  timeoutSeconds: channel.timeoutSeconds === null ? "" : String(channel.timeoutSeconds),
  allowedFields: channel.allowedFields.join(", "),
  outputCap: channel.outputCap ?? "",
});

/** The models that a protocol can serve. */
export const modelsOf = (protocol: Protocol) =>
  models.filter(({ family }) => protocol !== "openai" || family !== "video");

function isWhole(field: NumberField, text: string): boolean {
  if (field === "timeoutSeconds" && text.trim() === "") return true;
  const { min, max } = channelBounds[field];
  return /^-?\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}

function offered({ protocol, models: named }: ChannelInput): Record<string, string> {
  const served = new Set(modelsOf(protocol).map(({ id }) => id));
  return Object.fromEntries(
    Object.entries(named)
      .filter(([id]) => served.has(id))
      .map(([id, name]) => [id, name.trim()]),
  );
}

export const isUpstreamModel = (name: string) =>
  name.length <= UPSTREAM_MODEL_LENGTH_MAX && /^\S+$/.test(name);

const fieldNames = (text: string) => text.split(/[\s,]/).filter((name) => name !== "");

export function problemsOf(input: ChannelInput): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (input.name.trim() === "") problems.push("name");
  const { baseUrl, apiKey } = input;
  if (!URL.canParse(baseUrl.trim()) || !/^https?:$/.test(new URL(baseUrl.trim()).protocol))
    problems.push("baseUrl");
  if (
    apiKey !== "" &&
    (apiKey.trim().length > UPSTREAM_KEY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(apiKey.trim()))
  )
    problems.push("apiKey");
  const names = Object.values(offered(input));
  if (names.length === 0 || !names.every(isUpstreamModel)) problems.push("models");
  if (!fieldNames(input.allowedFields).every((name) => chatFieldName.test(name)))
    problems.push("allowedFields");
  return [...problems, ...numberFields.filter((field) => !isWhole(field, input[field]))];
}

export function createBody(input: ChannelInput): CreateChannelBody {
  return {
    name: input.name.trim(),
    protocol: input.protocol,
    baseUrl: input.baseUrl.trim(),
    apiKey: input.apiKey.trim() || null,
    models: offered(input),
    requestsPerSecond: Number(input.requestsPerSecond),
    requestsPerMinute: Number(input.requestsPerMinute),
    priority: Number(input.priority),
    weight: Number(input.weight),
    timeoutSeconds: input.timeoutSeconds.trim() === "" ? null : Number(input.timeoutSeconds),
    allowedFields: fieldNames(input.allowedFields),
    outputCap: input.outputCap || null,
  };
}

/** Without a new credential the old one stays. */
export function changeBody(input: ChannelInput): ChangeChannelBody {
  const { protocol: _, apiKey, ...rest } = createBody(input);
  return apiKey === null ? rest : { ...rest, apiKey };
}
