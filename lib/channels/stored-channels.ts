/** Stored channels in the form in which they may be shown. */
import {
  type ChannelProfile,
  type ChannelRefusal,
  profileParts,
  readings,
  refusalOf,
  type StreamSetting,
  streamSettings,
} from "../contract/channel-profile";
import type { OutputCap } from "../contract/chat-fields";
import type { ChannelState } from "../contract/states";
import type { Database, Transaction } from "../db/client";
import type { Channel as ChannelRow } from "../db/generated/client";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import type { Channel } from "../upstream/provider";
import { isRecord } from "../values/records";
import type { ChannelRow as SqlRow } from "./channel-registry";
import { type ExtraHeaders, readHeaders } from "./extra-headers";
import { readCredentials, type StoredCredential } from "./further-credentials";

/** A stored channel without its credential. */
export interface ChannelView
  extends Omit<
    Channel,
    | "apiKey"
    | "credential"
    | "choices"
    | "headers"
    | "proxy"
    | "allowedFields"
    | "outputCap"
    | "profile"
    | "streams"
  > {
  readonly allowedFields: string[];
  readonly outputCap: OutputCap | null;
  /** Null when the channel was not tested. */
  readonly profile: ChannelProfile | null;
  readonly profiledAt: Date | null;
  readonly refusal: ChannelRefusal | null;
  readonly streams: StreamSetting;
  readonly hasApiKey: boolean;
  readonly credentialSetAt: Date | null;
  readonly credentialWeight: number;
  /** Further ones, beside the channel's own. */
  readonly credentials: readonly Omit<StoredCredential, "sealed">[];
  readonly headers: ExtraHeaders;
  /** Without its user and password. */
  readonly proxy: string | null;
  readonly hasProxyUser: boolean;
  readonly state: ChannelState;
  readonly drainingSince: Date | null;
  readonly createdAt: Date;
}

/** Those of the names that are known to be true or false. */
const known = <Name extends string>(names: readonly Name[], found: Record<string, unknown>) =>
  Object.fromEntries(
    names
      .filter((name) => typeof found[name] === "boolean")
      .map((name) => [name, found[name] === true]),
  );

function readsOf(found: unknown): ChannelProfile["reads"] {
  if (!isRecord(found)) return undefined;
  const models = Object.entries(found).flatMap(([model, reads]) =>
    isRecord(reads) ? [[model, known(readings, reads)] as const] : [],
  );
  return Object.fromEntries(models);
}

function capsOf(found: unknown): ChannelProfile["caps"] {
  if (!isRecord(found)) return undefined;
  const caps = Object.entries(found).flatMap(([model, cap]) =>
    typeof cap === "number" ? [[model, cap] as const] : [],
  );
  return Object.fromEntries(caps);
}

const profileOf = (found: unknown): ChannelProfile | null =>
  isRecord(found)
    ? { ...known(profileParts, found), reads: readsOf(found.reads), caps: capsOf(found.caps) }
    : null;

/** `draining` and `disabled` channels take no new work; work in progress continues at both. */
export function channelView(row: ChannelRow): ChannelView {
  const {
    credential,
    credentialNonce: _,
    credentials,
    headers,
    proxyCredential,
    protocol,
    outputCap,
    models,
    profile: found,
    streams,
    isEnabled,
    archivedAt: _archived,
    firstUsedAt: _used,
    ...rest
  } = row;
  const profile = profileOf(found);
  return {
    ...rest,
    profile,
    refusal: refusalOf({ profile }),
    streams: streamSettings.find((setting) => setting === streams) ?? "from_answer",
    protocol: protocol as Channel["protocol"],
    outputCap: outputCap as OutputCap | null,
    models: models as Record<string, string>,
    hasApiKey: credential !== null,
    headers: readHeaders(headers),
    hasProxyUser: proxyCredential !== null,
    credentials: readCredentials(credentials).map(({ sealed: _sealed, ...rest }) => rest),
    state: isEnabled ? "active" : row.drainingSince === null ? "disabled" : "draining",
  };
}

export const noSuchChannel = (id: string) =>
  new RelayError("not_found", { message: `There is no channel ${id}.` });

/** All channels but the archived ones, in the order in which they are tried. */
export async function listChannels(database: Database): Promise<ChannelView[]> {
  const rows = await database.channel.findMany({
    where: { archivedAt: null },
    orderBy: [{ priority: "desc" }, { createdAt: "asc" }],
  });
  return rows.map(channelView);
}

export async function findChannelRow(
  database: Pick<Transaction, "channel">,
  id: string,
): Promise<ChannelRow> {
  const row = await database.channel.findFirst({ where: { id, archivedAt: null } });
  if (row === null) throw noSuchChannel(id);
  return row;
}

/** Rejects with `not_found`, also for an archived channel. */
export async function findChannel(database: Database, id: string): Promise<ChannelView> {
  return channelView(await findChannelRow(database, id));
}

/** The same in SQL, with its lock in a transaction. */
export async function channelRow(
  client: Reader,
  id: string,
  lock: "" | "for share" | "for update" = "",
): Promise<SqlRow> {
  const text = `select * from channel where id = $1 and archived_at is null ${lock}`;
  const [row] = (await client.query<SqlRow>(text, [id])).rows;
  if (row === undefined) throw noSuchChannel(id);
  return row;
}
