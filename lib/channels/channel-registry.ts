import type pg from "pg";
import { findModel } from "../catalog/models";
import { OWN_CREDENTIAL } from "../contract/channel-credentials";
import { type ChannelProfile, refusalOf, type StreamSetting } from "../contract/channel-profile";
import type { OutputCap } from "../contract/chat-fields";
import type { Family } from "../contract/states";
import { type Secrets, withFitting } from "../crypto/secrets";
import type { Changes } from "../db/changes";
import { oneReadAtATime } from "../db/one-read";
import type { Channel, CredentialChoice } from "../upstream/provider";
import { unsealCredential } from "./credential";
import { readHeaders } from "./extra-headers";
import { readCredentials, unsealFurther } from "./further-credentials";
import { proxyAddress, unsealProxy } from "./proxy";

export interface ChannelRegistry {
  /**
   * The enabled channels that offer a catalogue identifier, the highest priority first, from
   * memory.
   */
  forModel(model: string): readonly Channel[];
  /** A channel by its id, including disabled ones. */
  byId(id: string): Channel | undefined;
  /** All channels, including disabled ones. */
  all(): readonly Channel[];
  /** True when any channel, enabled or not, offers a model of the family. */
  isConfigured(family: Family): boolean;
}

export interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly protocol: Channel["protocol"];
  readonly base_url: string;
  readonly credential: Buffer | null;
  readonly credential_nonce: Buffer | null;
  readonly credential_weight: number;
  readonly credentials: unknown;
  readonly headers: unknown;
  readonly proxy: string | null;
  readonly proxy_credential: Buffer | null;
  readonly models: Record<string, string>;
  readonly requests_per_second: number;
  readonly requests_per_minute: number;
  readonly priority: number;
  readonly weight: number;
  readonly timeout_seconds: number | null;
  readonly allowed_fields: readonly string[];
  readonly output_cap: OutputCap | null;
  readonly profile: ChannelProfile | null;
  readonly streams: StreamSetting;
  readonly is_enabled: boolean;
}

interface Keyed {
  readonly apiKey: string;
  readonly credential: CredentialChoice;
}

type Open = (open: (secret: string) => string | null) => string;

/** Decrypts what belongs to the channel. Throws when none of the secrets does. */
const openerOf =
  (secrets: Secrets, channelId: string): Open =>
  (open) => {
    const found = withFitting(secrets, open);
    if (found === null) throw new Error(`a credential of channel ${channelId} cannot be decrypted`);
    return found;
  };

/** All credentials of a channel, its own first. */
function credentialsOf(row: ChannelRow, opened: Open): Keyed[] {
  const { id, credential, credential_nonce: credentialNonce } = row;
  const further = readCredentials(row.credentials).map((stored) => ({
    apiKey: opened((secret) => unsealFurther(secret, id, stored)),
    credential: { name: stored.name, weight: stored.weight },
  }));
  if (credential === null || credentialNonce === null) return further;
  const sealed = { credential, credentialNonce };
  const own = opened((secret) => unsealCredential(secret, id, sealed));
  const chosen = { name: OWN_CREDENTIAL, weight: row.credential_weight };
  return [{ apiKey: own, credential: chosen }, ...further];
}

function proxyOf({ id, proxy, proxy_credential: sealed }: ChannelRow, opened: Open): string | null {
  if (proxy === null || sealed === null) return proxy;
  return proxyAddress(
    proxy,
    opened((secret) => unsealProxy(secret, id, sealed)),
  );
}

/** Throws when none of the secrets decrypts a credential. */
export function channelOf(row: ChannelRow, secrets: Secrets): Channel {
  const opened = openerOf(secrets, row.id);
  const credentials = credentialsOf(row, opened);
  const proxy = proxyOf(row, opened);
  const headers = readHeaders(row.headers);
  const channel = {
    id: row.id,
    name: row.name,
    protocol: row.protocol,
    baseUrl: row.base_url,
    apiKey: credentials[0]?.apiKey ?? null,
    ...(proxy !== null && { proxy }),
    ...(Object.keys(headers).length > 0 && { headers }),
    models: row.models,
    requestsPerSecond: row.requests_per_second,
    requestsPerMinute: row.requests_per_minute,
    priority: row.priority,
    weight: row.weight,
    timeoutSeconds: row.timeout_seconds,
    allowedFields: row.allowed_fields,
    outputCap: row.output_cap,
    profile: row.profile,
    streams: row.streams,
  };
  if (credentials.length < 2) return channel;
  return { ...channel, choices: credentials.map((keyed) => ({ ...channel, ...keyed })) };
}

/** A channel whose profile refuses it serves no text. */
const serves = (channel: Channel, model: string) =>
  refusalOf(channel) === null || findModel(model)?.family !== "text";

function byModel(channels: readonly Channel[]): Map<string, Channel[]> {
  const channelsOfModel = new Map<string, Channel[]>();
  for (const channel of channels) {
    for (const model of Object.keys(channel.models).filter((name) => serves(channel, name)))
      channelsOfModel.set(model, [...(channelsOfModel.get(model) ?? []), channel]);
  }
  return channelsOfModel;
}

/**
 * The channels in memory, with decrypted credentials. They are read again on each change and every
 * 3 s; when a read fails, the last known ones stay. A channel whose credential cannot be decrypted
 * is left out and reported to `onProblem`. Rejects if the first read fails.
 */
export async function createChannelRegistry(options: {
  pool: pg.Pool;
  changes: Changes;
  secrets: Secrets;
  onProblem?: (message: string) => void;
}): Promise<ChannelRegistry & { close(): void }> {
  const { pool, changes, secrets, onProblem } = options;
  const problems = new Set<string>();
  const none: readonly Channel[] = [];
  let enabledByModel = new Map<string, Channel[]>();
  let all = new Map<string, Channel>();
  let configured = new Set<string>();

  const reload = oneReadAtATime(async () => {
    const { rows } = await pool.query<ChannelRow>(
      "select * from channel where archived_at is null order by priority desc, created_at, id",
    );
    const readable = rows.flatMap((row) => {
      try {
        return [{ channel: channelOf(row, secrets), isEnabled: row.is_enabled }];
      } catch {
        if (!problems.has(row.id))
          onProblem?.(
            `A credential of channel ${row.name} cannot be decrypted with this RELAY_SECRET.`,
          );
        problems.add(row.id);
        return [];
      }
    });
    all = new Map(readable.map(({ channel }) => [channel.id, channel]));
    enabledByModel = byModel(
      readable.filter(({ isEnabled }) => isEnabled).map(({ channel }) => channel),
    );
    configured = new Set(rows.flatMap((row) => Object.keys(row.models)));
  });

  const end = changes.subscribe("channel", () => void reload().catch(() => {}));
  await reload();
  return {
    forModel: (model) => enabledByModel.get(model) ?? none,
    byId: (id) => all.get(id),
    all: () => [...all.values()],
    isConfigured: (family) => {
      for (const id of configured) if (findModel(id)?.family === family) return true;
      return false;
    },
    close: end,
  };
}
