/** The values of the channel form, and the request bodies made from them. */
import { allModels } from "@/lib/catalog/models";
import type { StreamSetting } from "@/lib/contract/channel-profile";
import { chatFieldName, type OutputCap } from "@/lib/contract/chat-fields";
import {
  CHANNEL_REQUESTS_PER_MINUTE_DEFAULT,
  CHANNEL_REQUESTS_PER_SECOND_DEFAULT,
  channelBounds,
  UPSTREAM_MODEL_LENGTH_MAX,
} from "@/lib/contract/limits";
import type {
  ChangeChannelBody,
  ChannelView,
  CreateChannelBody,
} from "@/lib/contract/operator-channels";
import { protocolFamilies } from "@/lib/contract/states";

import {
  areCredentials,
  type CredentialInput,
  credentialBodies,
  credentialInputs,
  isKey,
  isShare,
} from "./credential-form";
import { headersOf, headersText } from "./headers-form";

export type Protocol = ChannelView["protocol"];

export interface ChannelInput {
  name: string;
  protocol: Protocol;
  baseUrl: string;
  /** Empty for none, or to keep the present one. */
  apiKey: string;
  /** The share of the key, where there are further ones. */
  credentialWeight: string;
  credentials: CredentialInput[];
  /** One a line. */
  headers: string;
  /** Empty for none; the present one without its user and password keeps them. */
  proxy: string;
  /** Catalogue identifier → the upstream's name. Only the selected models. */
  models: Record<string, string>;
  requestsPerSecond: string;
  requestsPerMinute: string;
  priority: string;
  weight: string;
  /** Empty for the protocol's default. */
  timeoutSeconds: string;
  /** Names separated by commas or spaces. */
  allowedFields: string;
  /** Empty for the protocol's default. */
  outputCap: OutputCap | "";
  streams: StreamSetting;
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
  | "credentialWeight"
  | "credentials"
  | "headers"
  | "proxy"
  | "models"
  | "allowedFields"
  | NumberField;

/** Fields in the collapsed section, which most channels leave unchanged. */
export const foldedFields = [...numberFields, "allowedFields", "outputCap", "streams"] as const;

/** Fields in the section of how the upstream is reached. */
export const wayFields = ["credentialWeight", "credentials", "headers", "proxy"] as const;

/** Maps the field names in the server's failures to the form's. */
const serverFields: Readonly<Record<string, keyof ChannelInput>> = {
  base_url: "baseUrl",
  api_key: "apiKey",
  rps: "requestsPerSecond",
  rpm: "requestsPerMinute",
  timeout_seconds: "timeoutSeconds",
  allowed_fields: "allowedFields",
  output_cap: "outputCap",
  credential_weight: "credentialWeight",
};

/** A field is named with its place, such as `credentials[1].name`. */
export function fieldOf(param: string | null): string | null {
  const name = param?.replace(/\[.*$/, "") ?? null;
  return name === null ? null : (serverFields[name] ?? name);
}

export const emptyChannel: ChannelInput = {
  name: "",
  protocol: "openai",
  baseUrl: "",
  apiKey: "",
  credentialWeight: "1",
  credentials: [],
  headers: "",
  proxy: "",
  models: {},
  requestsPerSecond: String(CHANNEL_REQUESTS_PER_SECOND_DEFAULT),
  requestsPerMinute: String(CHANNEL_REQUESTS_PER_MINUTE_DEFAULT),
  priority: "0",
  weight: "1",
  timeoutSeconds: "",
  allowedFields: "",
  outputCap: "",
  streams: "from_answer",
};

export const inputOf = (channel: ChannelView): ChannelInput => ({
  name: channel.name,
  protocol: channel.protocol,
  baseUrl: channel.baseUrl,
  apiKey: "",
  credentialWeight: String(channel.credentialWeight),
  credentials: credentialInputs(channel),
  headers: headersText(channel.headers),
  proxy: channel.proxy ?? "",
  models: { ...channel.models },
  requestsPerSecond: String(channel.requestsPerSecond),
  requestsPerMinute: String(channel.requestsPerMinute),
  priority: String(channel.priority),
  weight: String(channel.weight),
  timeoutSeconds: channel.timeoutSeconds === null ? "" : String(channel.timeoutSeconds),
  allowedFields: channel.allowedFields.join(", "),
  outputCap: channel.outputCap ?? "",
  streams: channel.streams,
});

/** The models that a protocol can serve. */
export const modelsOf = (protocol: Protocol) =>
  allModels().filter(({ family }) => protocolFamilies[protocol].includes(family));

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

const isProxy = (text: string) =>
  text === "" || (URL.canParse(text) && /^(https?|socks5):$/.test(new URL(text).protocol));

const fieldNames = (text: string) => text.split(/[\s,]/).filter((name) => name !== "");

export function problemsOf(input: ChannelInput): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (input.name.trim() === "") problems.push("name");
  const { baseUrl, apiKey } = input;
  if (!URL.canParse(baseUrl.trim()) || !/^https?:$/.test(new URL(baseUrl.trim()).protocol))
    problems.push("baseUrl");
  if (apiKey !== "" && !isKey(apiKey.trim())) problems.push("apiKey");
  if (!isShare(input.credentialWeight)) problems.push("credentialWeight");
  if (headersOf(input.headers) === null) problems.push("headers");
  if (!isProxy(input.proxy.trim())) problems.push("proxy");
  if (!areCredentials(input.credentials)) problems.push("credentials");
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
    credentialWeight: Number(input.credentialWeight),
    credentials: credentialBodies(input.credentials),
    headers: headersOf(input.headers) ?? {},
    proxy: input.proxy.trim() || null,
    models: offered(input),
    requestsPerSecond: Number(input.requestsPerSecond),
    requestsPerMinute: Number(input.requestsPerMinute),
    priority: Number(input.priority),
    weight: Number(input.weight),
    timeoutSeconds: input.timeoutSeconds.trim() === "" ? null : Number(input.timeoutSeconds),
    allowedFields: fieldNames(input.allowedFields),
    outputCap: input.outputCap || null,
    streams: input.streams,
  };
}

/** An empty credential keeps the present one. */
export function changeBody(input: ChannelInput): ChangeChannelBody {
  const { protocol: _, apiKey, ...rest } = createBody(input);
  return apiKey === null ? rest : { ...rest, apiKey };
}
