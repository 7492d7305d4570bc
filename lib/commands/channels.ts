import { type AuditFields, recordAction } from "../accounts/actions";
import {
  type ChannelBounds,
  type ChatTerms,
  cleanApiKey,
  cleanBaseUrl,
  cleanBounds,
  cleanChatTerms,
  cleanModels,
  cleanName,
} from "../channels/channel-fields";
import { sealCredential } from "../channels/credential";
import {
  type ChannelView,
  channelView,
  findChannelRow,
  noSuchChannel,
} from "../channels/stored-channels";
import { HOLD_DAYS_MAX } from "../contract/limits";
import { type ChannelState, openTaskStatuses } from "../contract/states";
import type { Transaction } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import type { Channel as ChannelRow } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../errors";
import { firstOperationId, newId } from "../ids";
import { type OptionalMembers, withoutUndefined } from "../records";
import type { Channel } from "../upstream/provider";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;
type SealingDeps = Pick<CommandDeps, "database" | "secrets">;

export interface NewChannel extends ChannelBounds, ChatTerms {
  readonly name: string;
  readonly protocol: Channel["protocol"];
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Any name of a catalogue model → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
}

/** The given fields are changed. */
type ChannelChange = OptionalMembers<Omit<NewChannel, "protocol">>;

const HOLD_MS_MAX = HOLD_DAYS_MAX * 24 * 3_600_000;

/** The fields of a channel that a record contains: all but the credential. */
const told = ({
  name,
  baseUrl,
  models,
  credentialSetAt,
  state,
  ...rest
}: ChannelView): AuditFields => ({
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
  streams: rest.streams,
});

const nameTaken = (name: string) =>
  new RelayError("already_exists", {
    param: "name",
    message: `A channel named ${name} already exists.`,
    fault: { name: "name_taken", taken: name },
  });

async function assertNameFree(
  transaction: Transaction,
  name: string,
  besides: string | null,
): Promise<void> {
  const where = { name, archivedAt: null, ...(besides === null ? {} : { id: { not: besides } }) };
  if ((await transaction.channel.count({ where })) > 0) throw nameTaken(name);
}

const sealed = (secret: string, id: string, apiKey: string) => ({
  ...sealCredential(secret, id, cleanApiKey(apiKey)),
  credentialSetAt: new Date(),
});

/**
 * Creates a channel and encrypts its credential. Rejects with `invalid_value` or `already_exists`.
 */
export async function createChannel(
  { database, secrets }: SealingDeps,
  actor: string,
  channel: NewChannel,
): Promise<ChannelView> {
  const id = newId("channel");
  const data = {
    id,
    name: cleanName(channel.name),
    protocol: channel.protocol,
    baseUrl: cleanBaseUrl(channel.baseUrl),
    models: cleanModels(channel.models, channel.protocol),
    ...withoutUndefined({ ...cleanBounds(channel), ...cleanChatTerms(channel) }),
    ...(channel.apiKey === null ? {} : sealed(secrets.current, id, channel.apiKey)),
  };
  return inDatabaseTransaction(database, async (transaction) => {
    await assertNameFree(transaction, data.name, null);
    const made = await transaction.channel.create({ data }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken(data.name) : error;
    });
    const view = channelView(made);
    const detail = { after: told(view), protocol: view.protocol };
    await recordAction(transaction, { actor, action: "channel.create", subject: id, detail });
    return view;
  });
}

const openTasks = (transaction: Transaction, channelId: string) =>
  transaction.videoTask.count({ where: { channelId, status: { in: [...openTaskStatuses] } } });

/**
 * Refuses a new host while the credential was given for the old one, or while open tasks must be
 * polled there.
 */
async function assertMayMove(
  transaction: Transaction,
  row: ChannelRow,
  baseUrl: string,
  hasNewKey: boolean,
): Promise<void> {
  if (baseUrl === row.baseUrl) return;
  const open = await openTasks(transaction, row.id);
  if (open > 0) {
    const message = `${open} video tasks are still open at ${row.baseUrl}: drain the channel first, or create another one.`;
    const fault = { name: "channel_has_tasks", count: open } as const;
    throw new RelayError("invalid_value", { param: "base_url", message, fault });
  }
  if (
    row.credential === null ||
    hasNewKey ||
    new URL(baseUrl).origin === new URL(row.baseUrl).origin
  )
    return;
  const [from, to] = [new URL(row.baseUrl).origin, new URL(baseUrl).origin];
  throw new RelayError("invalid_value", {
    param: "api_key",
    message: `The stored API key is for ${new URL(row.baseUrl).origin}: send the one for ${new URL(baseUrl).origin} too.`,
    fault: { name: "channel_key_needed", from, to },
  });
}

function changedCredential(secret: string, id: string, apiKey: string | null | undefined) {
  if (apiKey === undefined) return {};
  if (apiKey === null) return { credential: null, credentialNonce: null, credentialSetAt: null };
  return sealed(secret, id, apiKey);
}

/**
 * Changes the given fields; `apiKey: null` removes the credential. Rejects with `not_found`,
 * `invalid_value` or `already_exists`.
 */
export function changeChannel(
  { database, secrets }: SealingDeps,
  actor: string,
  input: ChannelChange & { id: string },
): Promise<ChannelView> {
  const { id, name, baseUrl, models, apiKey } = input;
  return inDatabaseTransaction(database, async (transaction) => {
    const row = await findChannelRow(transaction, id);
    const before = channelView(row);
    const data = withoutUndefined({
      name: name === undefined ? undefined : cleanName(name),
      baseUrl: baseUrl === undefined ? undefined : cleanBaseUrl(baseUrl),
      models:
        models === undefined ? undefined : cleanModels(models, before.protocol, before.models),
      ...cleanBounds(input),
      ...cleanChatTerms(input),
      ...changedCredential(secrets.current, id, apiKey),
    });
    if (data.name !== undefined) await assertNameFree(transaction, data.name, id);
    if (data.baseUrl !== undefined)
      await assertMayMove(transaction, row, data.baseUrl, apiKey !== undefined);
    const changed = await transaction.channel
      .updateManyAndReturn({ where: { id, archivedAt: null }, data })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? nameTaken(data.name ?? row.name) : error;
      });
    if (changed[0] === undefined) throw noSuchChannel(id);
    const view = channelView(changed[0]);
    const detail = { before: told(before), after: told(view) };
    await recordAction(transaction, { actor, action: "channel.change", subject: id, detail });
    return view;
  });
}

const actions = {
  active: "channel.enable",
  disabled: "channel.disable",
  draining: "channel.drain",
} as const;

/** Rejects with `not_found`. */
export function setChannelState(
  { database }: Deps,
  actor: string,
  input: { id: string; state: ChannelState },
): Promise<ChannelView> {
  const { id, state } = input;
  return inDatabaseTransaction(database, async (transaction) => {
    const before = channelView(await findChannelRow(transaction, id));
    if (before.state === state) return before;
    const data = {
      isEnabled: state === "active",
      drainingSince: state === "draining" ? new Date() : null,
    };
    const rows = await transaction.channel.updateManyAndReturn({
      where: { id, archivedAt: null },
      data,
    });
    if (rows[0] === undefined) throw noSuchChannel(id);
    await recordAction(transaction, {
      actor,
      action: actions[state],
      subject: id,
      detail: { before: before.state, after: state },
    });
    return channelView(rows[0]);
  });
}

async function isReferenced(transaction: Transaction, row: ChannelRow): Promise<boolean> {
  if (
    row.firstUsedAt !== null ||
    (await transaction.videoTask.count({ where: { channelId: row.id } })) > 0
  )
    return true;
  // A request can name the channel only if it was open after the channel was created.
  const since = firstOperationId(row.createdAt.getTime() - HOLD_MS_MAX);
  const where = { id: { gte: since }, channelId: row.id };
  return (
    (await transaction.request.findFirst({ where, select: { id: true } })) !== null ||
    // Requests of old months may be only in archived files; the sums have them.
    (await transaction.usageTotalDay.findFirst({
      where: { channelId: row.id },
      select: { day: true },
    })) !== null
  );
}

/**
 * Deletes a channel that was never used. Any other is archived: its credential is destroyed, and
 * its row stays because requests refer to it. Rejects with `not_found`, or with `invalid_value`
 * while the channel is active or has work in progress.
 */
export function removeChannel(
  { database }: Deps,
  actor: string,
  { id }: { id: string },
): Promise<"deleted" | "archived"> {
  return inDatabaseTransaction(database, async (transaction) => {
    const row = await findChannelRow(transaction, id);
    if (row.isEnabled)
      throw new RelayError("invalid_value", {
        message: `${row.name} is active: drain or disable it first.`,
        fault: { name: "channel_takes_work" },
      });
    const open = await openTasks(transaction, id);
    if (open > 0)
      throw new RelayError("invalid_value", {
        message: `${row.name} still has ${open} open video tasks: wait until they have ended.`,
        fault: { name: "channel_has_tasks", count: open },
      });
    const isUsed = await isReferenced(transaction, row);
    const where = { id, isEnabled: false };
    const gone = {
      archivedAt: new Date(),
      drainingSince: null,
      credential: null,
      credentialNonce: null,
    };
    const { count } = isUsed
      ? await transaction.channel.updateMany({ where, data: gone })
      : await transaction.channel.deleteMany({ where });
    if (count === 0) throw noSuchChannel(id);
    const action = isUsed ? "channel.archive" : "channel.delete";
    await recordAction(transaction, {
      actor,
      action,
      subject: id,
      detail: { before: told(channelView(row)) },
    });
    return isUsed ? "archived" : "deleted";
  });
}
