import { recordAction } from "../accounts/actions";
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
import { cleanHeaders, type ExtraHeaders } from "../channels/extra-headers";
import {
  furtherCredentials,
  type GivenCredential,
  readCredentials,
  type StoredCredential,
} from "../channels/further-credentials";
import { countOpenTasks } from "../channels/open-tasks";
import { cleanProxy, sealProxy } from "../channels/proxy";
import {
  type ChannelView,
  channelView,
  findChannelRow,
  noSuchChannel,
} from "../channels/stored-channels";
import type { ChannelState } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import type { Channel as ChannelRow } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { Channel } from "../upstream/provider";
import { type OptionalMembers, withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";
import { toldChannel } from "./told-channel";

type Deps = Pick<CommandDeps, "database">;
type SealingDeps = Pick<CommandDeps, "database" | "secrets">;

export interface NewChannel extends ChannelBounds, ChatTerms {
  readonly name: string;
  readonly protocol: Channel["protocol"];
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Further ones, which share the requests with it. */
  readonly credentials?: readonly GivenCredential[] | undefined;
  /** Sent to its upstream beside the relay's own. */
  readonly headers?: ExtraHeaders | undefined;
  /** An address, with a user and a password where the proxy needs them. */
  readonly proxy?: string | null | undefined;
  /** Any name of a catalogue model → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
}

/** The given fields are changed. */
type ChannelChange = OptionalMembers<Omit<NewChannel, "protocol">>;

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
 * Creates a channel and encrypts its credential. `claim` writes in the same transaction. Rejects
 * with `invalid_value` or `already_exists`.
 */
export async function createChannel(
  { database, secrets }: SealingDeps,
  actor: string,
  channel: NewChannel,
  claim?: (transaction: Transaction, id: string) => Promise<void>,
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
    credentials: stored(furtherCredentials(secrets.current, id, channel.credentials ?? [], [])),
    headers: cleanHeaders(channel.headers ?? {}),
    ...changedProxy(secrets.current, { id, proxy: null, proxyCredential: null }, channel.proxy),
  };
  return inDatabaseTransaction(database, async (transaction) => {
    await assertNameFree(transaction, data.name, null);
    const made = await transaction.channel.create({ data }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken(data.name) : error;
    });
    const view = channelView(made);
    await claim?.(transaction, id);
    const detail = { after: toldChannel(view), protocol: view.protocol };
    await recordAction(transaction, actor, "channel.create", id, { detail });
    return view;
  });
}

/**
 * Refuses a new host while the credential was given for the old one, or while open tasks must be
 * polled there.
 */
async function assertMayMove(
  transaction: Transaction,
  row: ChannelRow,
  baseUrl: string,
  { apiKey, credentials }: ChannelChange,
): Promise<void> {
  if (baseUrl === row.baseUrl) return;
  const open = await countOpenTasks(transaction, row.id);
  if (open > 0) {
    const message = `${open} video tasks are still open at ${row.baseUrl}: drain the channel first, or create another one.`;
    const fault = { name: "channel_has_tasks", count: open } as const;
    throw new RelayError("invalid_value", { param: "base_url", message, fault });
  }
  const [from, to] = [new URL(row.baseUrl).origin, new URL(baseUrl).origin];
  const keepsOwn = row.credential !== null && apiKey === undefined;
  const further = credentials ?? readCredentials(row.credentials);
  const keepsFurther = further.some((each) => !("apiKey" in each) || each.apiKey === undefined);
  if (from === to || !(keepsOwn || keepsFurther)) return;
  throw new RelayError("invalid_value", {
    param: keepsOwn ? "api_key" : "credentials",
    message: `The stored API key is for ${from}: send the one for ${to} too.`,
    fault: { name: "channel_key_needed", from, to },
  });
}

/** The same address without user and password keeps those that it has. */
function changedProxy(
  secret: string,
  { id, proxy, proxyCredential }: Pick<ChannelRow, "id" | "proxy" | "proxyCredential">,
  given: string | null | undefined,
) {
  if (given === undefined) return {};
  if (given === null) return { proxy: null, proxyCredential: null };
  const { address, credential } = cleanProxy(given);
  const kept = address === proxy ? proxyCredential : null;
  return {
    proxy: address,
    proxyCredential: credential === null ? kept : sealProxy(secret, id, credential),
  };
}

const stored = (credentials: readonly StoredCredential[]) =>
  credentials.map((each) => ({ ...each }));

function changedCredential(secret: string, id: string, apiKey: string | null | undefined) {
  if (apiKey === undefined) return {};
  if (apiKey === null) return { credential: null, credentialNonce: null, credentialSetAt: null };
  return sealed(secret, id, apiKey);
}

/** Refuses to remove a credential while tasks must be polled with it. */
async function changedFurther(
  transaction: Transaction,
  secret: string,
  row: ChannelRow,
  given: readonly GivenCredential[] | undefined,
) {
  if (given === undefined) return undefined;
  const before = readCredentials(row.credentials);
  const after = furtherCredentials(secret, row.id, given, before);
  for (const { name } of before) {
    if (after.some((each) => each.name === name)) continue;
    const open = await countOpenTasks(transaction, row.id, name);
    if (open === 0) continue;
    throw new RelayError("invalid_value", {
      param: "credentials",
      message: `${open} video tasks that were ordered with the credential ${name} are still open: wait until they have ended.`,
      fault: { name: "channel_has_tasks", count: open },
    });
  }
  return stored(after);
}

/**
 * Changes the given fields; `credentials` replaces all further ones; `apiKey: null` removes the credential. Rejects with `not_found`,
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
      headers: input.headers && cleanHeaders(input.headers),
      ...changedProxy(secrets.current, row, input.proxy),
      credentials: await changedFurther(transaction, secrets.current, row, input.credentials),
    });
    if (data.name !== undefined) await assertNameFree(transaction, data.name, id);
    if (data.baseUrl !== undefined) await assertMayMove(transaction, row, data.baseUrl, input);
    const changed = await transaction.channel
      .updateManyAndReturn({ where: { id, archivedAt: null }, data })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? nameTaken(data.name ?? row.name) : error;
      });
    if (changed[0] === undefined) throw noSuchChannel(id);
    const view = channelView(changed[0]);
    const detail = { before: toldChannel(before), after: toldChannel(view) };
    await recordAction(transaction, actor, "channel.change", id, { detail });
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
    await recordAction(transaction, actor, actions[state], id, {
      detail: { before: before.state, after: state },
    });
    return channelView(rows[0]);
  });
}
