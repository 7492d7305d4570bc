import { recordAction } from "../accounts/actions";
import { keyHint, makeManagementKeyText } from "../accounts/key-text";
import { type StoredManagementKey, withoutHash } from "../accounts/stored-keys";
import { MANAGEMENT_KEYS_PER_ACCOUNT_MAX } from "../contract/limits";
import type { ManagementScope } from "../contract/states";
import { isIdOf, newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { pauseWebhooksOf } from "./made-webhooks";
import { assertScopedKey, hashedKey, refusedByCount } from "./scoped-keys";

interface NewManagementKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly ManagementScope[];
  readonly expiresAt?: Date | null | undefined;
}

const refused = refusedByCount(
  MANAGEMENT_KEYS_PER_ACCOUNT_MAX,
  `An account can have at most ${MANAGEMENT_KEYS_PER_ACCOUNT_MAX} management keys in use.`,
);

/** Creates a key that manages the account and never generates. `secret` is returned only here. */
export async function createManagementKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: NewManagementKey,
): Promise<{ key: StoredManagementKey; secret: string }> {
  assertScopedKey("A management key", input);
  const { accountId, name, expiresAt = null } = input;
  const scopes = [...new Set(input.scopes)].sort();
  const secret = makeManagementKeyText();
  const id = newId("managementKey");
  const keyHash = hashedKey(secret);
  const createdBy = isIdOf("user", actor) ? actor : null;
  const hint = keyHint(secret);
  const data = { id, accountId, name, scopes, expiresAt, keyHash, hint, createdBy };
  const key = await inDatabaseTransaction(database, async (transaction) => {
    const made = await transaction.managementKey.create({ data, omit: withoutHash }).catch(refused);
    const after = { name, hint: made.hint, scopes, expiresAt: expiresAt?.toISOString() ?? null };
    const detail = { account: accountId };
    await recordAction(transaction, actor, "management_key.create", id, { detail, after });
    return made;
  });
  return { key, secret };
}

/** Revokes the API keys that a management key made. Answers how many. */
const revokeKeysMadeBy = (transaction: Transaction, id: string, accountId: string) =>
  transaction.$executeRaw`
    update api_key set revoked_at = now() where account_id = ${accountId} and revoked_at is null and id in (
      select a.subject from operator_action a where a.actor = ${id} and a.action = 'key.create')`;

interface Revoked {
  readonly id: string;
  /** Null for an operator. */
  readonly accountId: string | null;
  /** Whether the API keys and webhooks that it made stay in use. */
  readonly keepsKeys: boolean;
}

/**
 * Revokes a management key permanently, and what it gave as what a member gave goes with the member: its
 * open invitations, and unless `keepsKeys` the API keys that it made; webhooks that lead where it wished
 * are paused. Repeating it changes nothing more. Rejects with `not_found`.
 */
export function revokeManagementKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { id, accountId, keepsKeys }: Revoked,
): Promise<StoredManagementKey> {
  const where = { id, ...(accountId === null ? {} : { accountId }) };
  return inDatabaseTransaction(database, async (transaction) => {
    const { count } = await transaction.managementKey.updateMany({
      where: { ...where, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const key = await transaction.managementKey.findFirst({ where, omit: withoutHash });
    if (key === null) throw new RelayError("not_found", { message: "There is no such key." });
    // What it offered ends with it.
    await transaction.accountInvitation.updateMany({
      where: { createdBy: id, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const made = { accountId: key.accountId, maker: id };
    const keys = keepsKeys ? 0 : await revokeKeysMadeBy(transaction, id, key.accountId);
    if (!keepsKeys) await pauseWebhooksOf(transaction, actor, made);
    if (count + keys > 0)
      await recordAction(transaction, actor, "management_key.revoke", id, {
        detail: { account: key.accountId, count: keys },
      });
    return key;
  });
}
