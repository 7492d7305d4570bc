import { findModel } from "../catalog/models";
import type { Database } from "../db/client";
import type { Channel as ChannelRow } from "../db/generated/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import type { Channel } from "../upstream/provider";
import { sealCredential } from "./credential";

/** A stored channel as it may be shown: without its credential. */
export interface ChannelView extends Omit<Channel, "apiKey"> {
  readonly hasApiKey: boolean;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
}

export interface NewChannel {
  readonly name: string;
  readonly protocol: Channel["protocol"];
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Any name of a catalogue model → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
  readonly requestsPerSecond?: number;
  readonly requestsPerMinute?: number;
  readonly priority?: number;
  readonly weight?: number;
  readonly timeoutSeconds?: number | null;
}

function viewOf(row: ChannelRow): ChannelView {
  const { credential, credentialNonce: _, protocol, models, ...rest } = row;
  return { ...rest, protocol: protocol as Channel["protocol"], models: models as Record<string, string>, hasApiKey: credential !== null };
}

const refuse = (param: string, message: string) => new RelayError("invalid_value", { param, message });

function cleanBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw refuse("base_url", "The base URL must start with http:// or https://.");
  if (url.username !== "" || url.password !== "")
    throw refuse("base_url", "The base URL must not carry credentials: give the key on its own.");
  if (url.search !== "" || url.hash !== "") throw refuse("base_url", "The base URL must not carry a query or a fragment.");
  return url.href.replace(/\/+$/, "");
}

function cleanModels(models: Readonly<Record<string, string>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, upstreamName] of Object.entries(models)) {
    const model = findModel(name);
    if (model === undefined) throw refuse("models", `There is no model ${name}.`);
    if (!/^\S{1,200}$/.test(upstreamName))
      throw refuse("models", `The upstream's name for ${name} must have 1 to 200 characters without spaces.`);
    clean[model.id] = upstreamName;
  }
  if (Object.keys(clean).length === 0) throw refuse("models", "A channel offers at least one model.");
  return clean;
}

function cleanNumber(param: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) throw refuse(param, `${param} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** Stores a channel, its credential encrypted. Rejects with `invalid_value` or `already_exists`. */
export async function createChannel(database: Database, secret: string, channel: NewChannel): Promise<ChannelView> {
  const id = newId("channel");
  const name = channel.name.trim();
  if (name.length < 1 || name.length > 80) throw refuse("name", "A channel's name has 1 to 80 characters.");
  if (channel.apiKey !== null && !/^[\x21-\x7e]{1,1000}$/.test(channel.apiKey)) {
    throw refuse("api_key", "The API key must have 1 to 1000 printable characters without spaces.");
  }
  const data = {
    id,
    name,
    protocol: channel.protocol,
    baseUrl: cleanBaseUrl(channel.baseUrl),
    models: cleanModels(channel.models),
    requestsPerSecond: cleanNumber("rps", channel.requestsPerSecond ?? 10, 0, 1_000_000),
    requestsPerMinute: cleanNumber("rpm", channel.requestsPerMinute ?? 600, 0, 10_000_000),
    priority: cleanNumber("priority", channel.priority ?? 0, -1_000_000, 1_000_000),
    weight: cleanNumber("weight", channel.weight ?? 1, 1, 1000),
    timeoutSeconds: channel.timeoutSeconds == null ? null : cleanNumber("timeout_seconds", channel.timeoutSeconds, 1, 3600),
    ...(channel.apiKey === null ? {} : sealCredential(secret, id, channel.apiKey)),
  };
  if ((await database.channel.count({ where: { name } })) > 0) {
    throw new RelayError("already_exists", { param: "name", message: `There is a channel named ${name} already.` });
  }
  return viewOf(await database.channel.create({ data }));
}

export async function listChannels(database: Database): Promise<ChannelView[]> {
  return (await database.channel.findMany({ orderBy: [{ priority: "desc" }, { createdAt: "asc" }] })).map(viewOf);
}

/** Rejects with `not_found`. */
export async function setChannelEnabled(database: Database, id: string, isEnabled: boolean): Promise<ChannelView> {
  const rows = await database.channel.updateManyAndReturn({ where: { id }, data: { isEnabled } });
  if (rows[0] === undefined) throw new RelayError("not_found", { message: `There is no channel ${id}.` });
  return viewOf(rows[0]);
}
