import { recordAction } from "../accounts/actions";
import type { OutputCap } from "../contract/chat-fields";
import { HOLD_DAYS_MAX } from "../contract/limits";
import { type ChannelState, openTaskStatuses } from "../contract/states";
import type { Database } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import type { Channel as ChannelRow, Prisma } from "../db/generated/client";
import { RelayError } from "../errors";
import { firstOperationId, newId } from "../ids";
import type { Channel } from "../upstream/provider";
import {
  type ChannelBounds,
  type ChatTerms,
  cleanApiKey,
  cleanBaseUrl,
  cleanBounds,
  cleanChatTerms,
  cleanModels,
  cleanName,
} from "./channel-fields";
import { sealCredential } from "./credential";

/** `draining`: takes no new work; `disabled` says no more than that. What either has under way goes on. */

/** A stored channel as it may be shown: without its credential. */
export interface ChannelView extends Omit<Channel, "apiKey" | "allowedFields" | "outputCap"> {
  readonly allowedFields: string[];
  readonly outputCap: OutputCap | null;
  readonly hasApiKey: boolean;
  readonly credentialSetAt: Date | null;
  readonly state: ChannelState;
  readonly drainingSince: Date | null;
  readonly createdAt: Date;
}

export interface NewChannel extends ChannelBounds, ChatTerms {
  readonly name: string;
  readonly protocol: Channel["protocol"];
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Any name of a catalogue model → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
}

/** What is given is changed. */
export type ChannelChange = Partial<Omit<NewChannel, "protocol">>;

const missing = (id: string) => new RelayError("not_found", { message: `There is no channel ${id}.` });
const HOLD_MS_MAX = HOLD_DAYS_MAX * 24 * 3_600_000;

function viewOf(row: ChannelRow): ChannelView {
  const {
    credential,
    credentialNonce: _,
    protocol,
    outputCap,
    models,
    isEnabled,
    archivedAt: _archived,
    firstUsedAt: _used,
    ...rest
  } = row;
  return {
    ...rest,
    protocol: protocol as Channel["protocol"],
    outputCap: outputCap as OutputCap | null,
    models: models as Record<string, string>,
    hasApiKey: credential !== null,
    state: isEnabled ? "active" : row.drainingSince === null ? "disabled" : "draining",
  };
}

/** What an audit row tells of a channel: everything but the credential. */
const told = ({ name, baseUrl, models, credentialSetAt, state, ...rest }: ChannelView): Prisma.InputJsonObject => ({
  name,
  baseUrl,
  models,
  state,
  credentialSetAt: credentialSetAt?.toISOString() ?? null,
  requestsPerSecond: rest.requestsPerSecond,
  requestsPerMinute: rest.requestsPerMinute,
  priority: rest.priority,
  weight: rest.weight,
  timeoutSeconds: rest.timeoutSeconds,
  allowedFields: [...rest.allowedFields],
  outputCap: rest.outputCap,
});

const nameTaken = (name: string) =>
  new RelayError("already_exists", { param: "name", message: `There is a channel named ${name} already.` });

async function assertNameFree(database: Database, name: string, besides: string | null): Promise<void> {
  const where = { name, archivedAt: null, ...(besides === null ? {} : { id: { not: besides } }) };
  if ((await database.channel.count({ where })) > 0) throw nameTaken(name);
}

const sealed = (secret: string, id: string, apiKey: string) => ({
  ...sealCredential(secret, id, cleanApiKey(apiKey)),
  credentialSetAt: new Date(),
});

/** Stores a channel, its credential encrypted. Rejects with `invalid_value` or `already_exists`. */
export async function createChannel(database: Database, secret: string, channel: NewChannel, actor: string): Promise<ChannelView> {
  const id = newId("channel");
  const data = {
    id,
    name: cleanName(channel.name),
    protocol: channel.protocol,
    baseUrl: cleanBaseUrl(channel.baseUrl),
    models: cleanModels(channel.models),
    ...cleanBounds(channel),
    ...cleanChatTerms(channel),
    ...(channel.apiKey === null ? {} : sealed(secret, id, channel.apiKey)),
  };
  await assertNameFree(database, data.name, null);
  const made = await database.channel.create({ data }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken(data.name) : error;
  });
  const view = viewOf(made);
  await recordAction(database, { actor, action: "channel.create", subject: id, detail: { after: told(view), protocol: view.protocol } });
  return view;
}

/** All but archived ones, in the order in which they are tried. */
export async function listChannels(database: Database): Promise<ChannelView[]> {
  const rows = await database.channel.findMany({ where: { archivedAt: null }, orderBy: [{ priority: "desc" }, { createdAt: "asc" }] });
  return rows.map(viewOf);
}

async function findRow(database: Database, id: string): Promise<ChannelRow> {
  const row = await database.channel.findFirst({ where: { id, archivedAt: null } });
  if (row === null) throw missing(id);
  return row;
}

/** Rejects with `not_found`, also for an archived one. */
export async function findChannel(database: Database, id: string): Promise<ChannelView> {
  return viewOf(await findRow(database, id));
}

const openTasks = (database: Database, channelId: string) =>
  database.videoTask.count({ where: { channelId, status: { in: [...openTaskStatuses] } } });

/** A credential belongs to the host it was given for, and open tasks are asked for where they were made. */
async function assertMayMove(database: Database, row: ChannelRow, baseUrl: string, hasNewKey: boolean): Promise<void> {
  if (baseUrl === row.baseUrl) return;
  const open = await openTasks(database, row.id);
  if (open > 0) {
    const message = `${open} video tasks are still made at ${row.baseUrl}: drain the channel first, or add another one.`;
    throw new RelayError("invalid_value", { param: "base_url", message });
  }
  if (row.credential === null || hasNewKey || new URL(baseUrl).origin === new URL(row.baseUrl).origin) return;
  const message = `The API key was given for ${new URL(row.baseUrl).origin}: give the one for ${new URL(baseUrl).origin}.`;
  throw new RelayError("invalid_value", { param: "api_key", message });
}

/** Changes what is given; `apiKey: null` takes the credential away. Rejects with `not_found`, `invalid_value` or `already_exists`. */
export async function changeChannel(
  database: Database,
  secret: string,
  id: string,
  change: ChannelChange,
  actor: string,
): Promise<ChannelView> {
  const row = await findRow(database, id);
  const { name, baseUrl, models, apiKey } = change;
  const data = {
    name: name === undefined ? undefined : cleanName(name),
    baseUrl: baseUrl === undefined ? undefined : cleanBaseUrl(baseUrl),
    models: models === undefined ? undefined : cleanModels(models),
    ...cleanBounds(change),
    ...cleanChatTerms(change),
    ...(apiKey === undefined
      ? {}
      : apiKey === null
        ? { credential: null, credentialNonce: null, credentialSetAt: null }
        : sealed(secret, id, apiKey)),
  };
  if (data.name !== undefined) await assertNameFree(database, data.name, id);
  if (data.baseUrl !== undefined) await assertMayMove(database, row, data.baseUrl, apiKey !== undefined);
  const changed = await database.channel.updateManyAndReturn({ where: { id, archivedAt: null }, data }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken(data.name ?? row.name) : error;
  });
  if (changed[0] === undefined) throw missing(id);
  const view = viewOf(changed[0]);
  await recordAction(database, {
    actor,
    action: "channel.change",
    subject: id,
    detail: { before: told(viewOf(row)), after: told(view) },
  });
  return view;
}

const actions = { active: "channel.enable", disabled: "channel.disable", draining: "channel.drain" } as const;

/** Rejects with `not_found`. */
export async function setChannelState(database: Database, id: string, state: ChannelState, actor: string): Promise<ChannelView> {
  const before = await findChannel(database, id);
  if (before.state === state) return before;
  const data = { isEnabled: state === "active", drainingSince: state === "draining" ? new Date() : null };
  const rows = await database.channel.updateManyAndReturn({ where: { id, archivedAt: null }, data });
  if (rows[0] === undefined) throw missing(id);
  await recordAction(database, { actor, action: actions[state], subject: id, detail: { before: before.state, after: state } });
  return viewOf(rows[0]);
}

async function isNamedByBooks(database: Database, row: ChannelRow): Promise<boolean> {
  if (row.firstUsedAt !== null || (await database.videoTask.count({ where: { channelId: row.id } })) > 0) return true;
  // A settlement can name it only if its operation was open after the channel came to be.
  const since = firstOperationId(row.createdAt.getTime() - HOLD_MS_MAX);
  return (
    (await database.settlement.findFirst({ where: { operationId: { gte: since }, channelId: row.id }, select: { operationId: true } })) !==
    null
  );
}

/**
 * Deletes a channel that was never used; another is archived: its credential is destroyed and its row stays for the books.
 * Rejects with `not_found`, or with `invalid_value` while it is active or has work under way.
 */
export async function removeChannel(database: Database, id: string, actor: string): Promise<"deleted" | "archived"> {
  const row = await findRow(database, id);
  const before = viewOf(row);
  if (row.isEnabled) throw new RelayError("invalid_value", { message: `${row.name} takes work: drain or disable it first.` });
  const open = await openTasks(database, id);
  if (open > 0)
    throw new RelayError("invalid_value", { message: `${row.name} still has ${open} video tasks: wait until they have ended.` });
  const isUsed = await isNamedByBooks(database, row);
  const where = { id, isEnabled: false };
  const gone = { archivedAt: new Date(), drainingSince: null, credential: null, credentialNonce: null };
  const { count } = isUsed ? await database.channel.updateMany({ where, data: gone }) : await database.channel.deleteMany({ where });
  if (count === 0) throw missing(id);
  const result = isUsed ? "archived" : "deleted";
  await recordAction(database, {
    actor,
    action: `channel.${result === "deleted" ? "delete" : "archive"}`,
    subject: id,
    detail: { before: told(before) },
  });
  return result;
}
