/**
 * Rules about who acts, in the transaction of a change. An actor is the id of a user, a management
 * key or an operator key, or `cli`: the command line, which belongs to no account.
 */
import type pg from "pg";
import { may, type Permission } from "../contract/member-roles";
import type { LiveSettingName } from "../contract/setting-names";
import { settingScopes } from "../contract/setting-scopes";
import { memberRoles, type OperatorScope } from "../contract/states";
import { isIdOf } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { RelayError } from "../failures/relay-error";

/** Rejects with `invalid_value` for the own account of the person who acts, also by a key. */
export async function assertNotOwnAccount(
  transaction: Transaction,
  actor: string,
  accountId: string,
): Promise<void> {
  const who = [{ id: actor }, { operatorKeys: { some: { id: actor } } }];
  if ((await transaction.user.count({ where: { accountId, OR: who } })) === 0) return;
  throw new RelayError("invalid_value", {
    message: "This is your own account: suspending it would lock you out of these pages.",
  });
}

/**
 * Rejects with `role_not_allowed` for a person whose role in the account does not include this. Keys
 * have scopes instead, which their row names.
 */
export async function assertRoleOf(
  transaction: Transaction,
  actor: string,
  { accountId, permission }: { readonly accountId: string; readonly permission: Permission },
  param: string | null = null,
): Promise<void> {
  if (!isIdOf("user", actor)) return;
  const member = await transaction.accountMember.findUnique({
    where: { accountId_userId: { accountId, userId: actor } },
  });
  const role = memberRoles.find((each) => each === member?.role);
  if (role === undefined || !may(role, permission))
    throw new RelayError("role_not_allowed", { param });
}

/**
 * What a change reaches beyond the scope of its row needs that scope as well: rejects with `scope_missing`
 * for an operator key that lacks it. `what` begins the message.
 */
export async function assertScopeOf(
  queries: Transaction | pg.ClientBase,
  actor: string,
  wanted: OperatorScope,
  what: string,
): Promise<void> {
  if (!isIdOf("operatorKey", actor)) return;
  const statement = "select scopes from operator_key where id = $1";
  const [key] =
    "escapeLiteral" in queries
      ? (await queries.query<{ scopes: string[] }>(statement, [actor])).rows
      : await queries.$queryRawUnsafe<{ scopes: string[] }[]>(statement, actor);
  const scopes = key?.scopes ?? [];
  if (scopes.includes(wanted)) return;
  const message = `${what} needs the scope ${wanted}; this operator key has ${scopes.join(", ")}.`;
  throw new RelayError("scope_missing", { message });
}

/** A setting that decides who has access, or what is given away, needs a scope of its own. */
export const assertMaySet = (
  transaction: Transaction,
  actor: string,
  name: LiveSettingName,
): Promise<void> => assertScopeOf(transaction, actor, settingScopes[name], `The setting ${name}`);
