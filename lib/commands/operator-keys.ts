import { recordAction } from "../accounts/actions";
import { keyHint, makeOperatorKeyText } from "../accounts/key-text";
import { operatorKeyParts, type StoredOperatorKey } from "../accounts/stored-keys";
import { OPERATOR_KEYS_PER_USER_MAX } from "../contract/limits";
import type { OperatorScope } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { assertScopedKey, hashedKey, refusedByCount } from "./scoped-keys";

interface NewOperatorKey {
  /** The operator whose key it is. */
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly OperatorScope[];
  readonly expiresAt?: Date | null | undefined;
}

const refused = refusedByCount(
  OPERATOR_KEYS_PER_USER_MAX,
  `An operator can have at most ${OPERATOR_KEYS_PER_USER_MAX} operator keys in use.`,
);

/** The operator stays one until the key is there: losing the role revokes it then. */
async function accountOfOperator(transaction: Transaction, userId: string): Promise<string> {
  const [user] = await transaction.$queryRaw<{ accountId: string }[]>`
    select u.account_id as "accountId" from "user" u join account a on a.id = u.account_id
     where u.id = ${userId} and u.is_operator and a.status = 'active' for share of u`;
  if (user !== undefined) return user.accountId;
  throw new RelayError("invalid_value", { message: "Only an operator can have operator keys." });
}

/** Creates a key that does what the operators' pages do. `secret` is returned only here. */
export async function createOperatorKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: NewOperatorKey,
): Promise<{ key: StoredOperatorKey; secret: string }> {
  assertScopedKey("An operator key", input);
  const { userId, name, expiresAt = null } = input;
  const scopes = [...new Set(input.scopes)].sort();
  const secret = makeOperatorKeyText();
  const id = newId("operatorKey");
  const hint = keyHint(secret);
  const keyHash = hashedKey(secret);
  const data = { id, userId, name, scopes, expiresAt, keyHash, hint };
  const key = await inDatabaseTransaction(database, async (transaction) => {
    const account = await accountOfOperator(transaction, userId);
    const made = await transaction.operatorKey.create({ data, ...operatorKeyParts }).catch(refused);
    const after = { name, hint, scopes, expiresAt: expiresAt?.toISOString() ?? null };
    const detail = { account };
    const action = "operator_key.create";
    await recordAction(transaction, actor, action, id, { detail, after });
    return made;
  });
  return { key, secret };
}

/**
 * Revokes an operator key permanently, whoever made it. Repeating it changes nothing. Rejects with
 * `not_found`.
 */
export function revokeOperatorKey(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { id }: { readonly id: string },
): Promise<StoredOperatorKey> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { count } = await transaction.operatorKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const key = await transaction.operatorKey.findUnique({ where: { id }, ...operatorKeyParts });
    if (key === null) throw new RelayError("not_found", { message: "There is no such key." });
    if (count > 0)
      await recordAction(transaction, actor, "operator_key.revoke", id, {
        detail: { name: key.name },
      });
    return key;
  });
}
