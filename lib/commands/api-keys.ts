import { type AuditFields, recordAction } from "../accounts/actions";
import { assertRoleOf } from "../accounts/actor-rules";
import { hashKeyText, keyHint, makeKeyText } from "../accounts/key-text";
import { makeOnce } from "../accounts/once-effect";
import { restartSpendWatch } from "../accounts/spend-watch";
import { type StoredKey, withoutHash } from "../accounts/stored-keys";
import { KEYS_PER_ACCOUNT_MAX, KEYS_PER_DEVELOPER_MAX } from "../contract/limits";
import { isIdOf, newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { isCountLimit } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { readKeyDefaults } from "../live-settings/key-defaults";
import { formatPoints } from "../money/points";
import { withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";
import { setHeldLimits } from "./held-limits";
import { cleanLimits, type KeyLimits } from "./key-limits";

/** The fields of a key that the audit log keeps. */
const said = ({
  name,
  hint,
  requestsPerMinute,
  models,
  expiresAt,
  hourlySpendMax,
  allowedAddresses,
}: StoredKey): AuditFields => ({
  name,
  hint,
  requestsPerMinute,
  models,
  expiresAt: expiresAt?.toISOString() ?? null,
  hourlySpendMax: hourlySpendMax === null ? null : formatPoints(hourlySpendMax),
  allowedAddresses,
});

function refusedByCount(error: unknown): never {
  if (isCountLimit(error, "api_key_count_of_developer"))
    throw new RelayError("invalid_value", {
      message: `You can have at most ${KEYS_PER_DEVELOPER_MAX} keys in use in this account. Revoke one first.`,
      fault: { name: "own_keys_in_use", max: KEYS_PER_DEVELOPER_MAX },
    });
  if (!isCountLimit(error)) throw error;
  throw new RelayError("invalid_value", {
    message: `An account can have at most ${KEYS_PER_ACCOUNT_MAX} keys in use. Revoke one first.`,
    fault: { name: "keys_in_use", max: KEYS_PER_ACCOUNT_MAX },
  });
}

/** The user behind the actor; null where it is none, and a trigger names the owner. */
async function makerOf(transaction: Transaction, actor: string): Promise<string | null> {
  if (isIdOf("user", actor)) return actor;
  if (!isIdOf("managementKey", actor)) return null;
  const by = await transaction.managementKey.findUnique({ where: { id: actor } });
  return by?.createdBy ?? null;
}

/**
 * Creates a key, with the operators' default limits where none are given. `secret` is returned only
 * here.
 */
export async function createApiKey(
  { database, ledger }: Pick<CommandDeps, "database" | "ledger">,
  actor: string,
  input: KeyLimits & { accountId: string; name: string },
): Promise<{ key: StoredKey; secret: string }> {
  const { accountId, name } = input;
  return makeOnce(database, async (transaction) => {
    const limits = cleanLimits(input);
    const secret = makeKeyText();
    const id = newId("apiKey");
    const keyHash = new Uint8Array(Buffer.from(hashKeyText(secret), "base64"));
    const defaults = await readKeyDefaults(transaction, accountId);
    const budget = input.budget === undefined ? defaults.budget : input.budget;
    const requestsPerMinute = limits.requestsPerMinute ?? defaults.requestsPerMinute;
    const data = {
      ...withoutUndefined(limits),
      requestsPerMinute,
      id,
      accountId,
      name,
      keyHash,
      hint: keyHint(secret),
      createdBy: await makerOf(transaction, actor),
    };
    const key = await transaction.apiKey.create({ data, omit: withoutHash }).catch(refusedByCount);
    // The watch starts with nothing spent.
    if (key.hourlySpendMax !== null)
      await transaction.apiKeySpendMark.create({
        data: { apiKeyId: id, day: key.createdAt, dayAmount: 0n },
      });
    if (budget !== null) await ledger.setKeyBudget(id, accountId, budget, transaction);
    const held = await setHeldLimits(ledger, transaction, key, input);
    await recordAction(transaction, actor, "key.create", id, {
      detail: { account: accountId },
      after: { ...said(key), ...held?.after },
    });
    return { key, secret };
  });
}

const missing = () => new RelayError("not_found", { message: "There is no such key." });

interface NamedKey {
  readonly id: string;
  /** Null when the caller is an operator, who may use any account's key. */
  readonly accountId: string | null;
}

/** A member may change the keys that he made, and those of others if the role includes it. */
async function assertMayChange(
  transaction: Transaction,
  actor: string,
  key: StoredKey,
  { accountId }: NamedKey,
): Promise<void> {
  if (accountId === null || key.createdBy === actor) return;
  await assertRoleOf(transaction, actor, { accountId, permission: "changeEveryKey" });
}

const keyNamed = ({ id, accountId }: NamedKey) => ({
  id,
  ...(accountId === null ? {} : { accountId }),
});

/**
 * Changes the given fields of a key. Rejects with `not_found`, also for another account's key, and
 * with `role_not_allowed`.
 */
export function changeApiKey(
  { database, ledger }: Pick<CommandDeps, "database" | "ledger">,
  actor: string,
  input: KeyLimits & NamedKey & { name?: string | undefined },
): Promise<StoredKey> {
  const { id, name, budget } = input;
  const where = keyNamed(input);
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.apiKey.findFirst({ where, omit: withoutHash });
    if (before === null) throw missing();
    await assertMayChange(transaction, actor, before, input);
    const { accountId } = before;
    const [key] = await transaction.apiKey.updateManyAndReturn({
      where,
      data: withoutUndefined({ ...cleanLimits(input), name }),
      omit: withoutHash,
    });
    if (key === undefined) throw missing();
    if (budget !== undefined) await ledger.setKeyBudget(id, accountId, budget, transaction);
    const held = await setHeldLimits(ledger, transaction, key, input);
    if (key.hourlySpendMax !== before.hourlySpendMax) await restartSpendWatch(transaction, id);
    const detail = {
      account: accountId,
      ...(budget === undefined ? {} : { budget: budget === null ? null : formatPoints(budget) }),
    };
    await recordAction(transaction, actor, "key.change", id, {
      detail,
      before: { ...said(before), ...held?.before },
      after: { ...said(key), ...held?.after },
    });
    return key;
  });
}

async function findKey(transaction: Transaction, named: NamedKey): Promise<StoredKey> {
  const key = await transaction.apiKey.findFirst({ where: keyNamed(named), omit: withoutHash });
  if (key === null) throw missing();
  return key;
}

/**
 * Resumes a paused key: its spending starts at zero again. Repeating it changes nothing. Rejects
 * with `not_found` or `role_not_allowed`.
 */
export function resumeApiKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: NamedKey,
): Promise<StoredKey> {
  return inDatabaseTransaction(database, async (transaction) => {
    const found = await findKey(transaction, input);
    await assertMayChange(transaction, actor, found, input);
    const { id, accountId } = found;
    const data = { pausedAt: null, pausedSpend: null };
    const { count } = await transaction.apiKey.updateMany({
      where: { id, pausedAt: { not: null } },
      data,
    });
    // Locked after the key, as a change of the key does, so that the two cannot deadlock.
    await restartSpendWatch(transaction, id);
    const key = await findKey(transaction, input);
    if (count > 0)
      await recordAction(transaction, actor, "key.resume", id, { detail: { account: accountId } });
    return key;
  });
}

/**
 * Revokes a key permanently. Repeating it changes nothing. Rejects with `not_found` or
 * `role_not_allowed`.
 */
export function revokeApiKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: NamedKey,
): Promise<StoredKey> {
  return inDatabaseTransaction(database, async (transaction) => {
    await assertMayChange(transaction, actor, await findKey(transaction, input), input);
    const where = { ...keyNamed(input), revokedAt: null };
    const { count } = await transaction.apiKey.updateMany({
      where,
      data: { revokedAt: new Date() },
    });
    const key = await findKey(transaction, input);
    if (count > 0)
      await recordAction(transaction, actor, "key.revoke", key.id, {
        detail: { account: key.accountId },
      });
    return key;
  });
}
