import { type Permission, rolesOf } from "../contract/member-roles";
import type { OrderReader } from "../db/order-readers";
import type { Reader } from "../db/pool";
import type { UsageOwner } from "../ledger/usage/usage-sums";
import type { Principal } from "./principal";

/** A principal, as the reader of what was ordered in its account. */
export const orderReaderOf = (principal: Principal): OrderReader => ({
  accountId: principal.accountId,
  apiKeyId: principal.apiKeyId,
  userId: principal.kind === "session" ? principal.userId : null,
  models: principal.models,
});

/**
 * Whose usage a principal sees: that of its own member, or everyone's (null) where the member's role
 * includes `permission`. A management key sees by its scopes.
 */
export async function usageOwnerOf(
  pool: Reader,
  principal: Principal,
  permission: Permission,
): Promise<UsageOwner | null> {
  if (principal.kind === "managementKey") return null;
  const { accountId, apiKeyId, userId } = orderReaderOf(principal);
  const { rows } = await pool.query<{ member: string | null; isEvery: boolean }>(
    `select r.member, exists (select from account_member m where m.account_id = $1
        and m.user_id = r.member and m.role = any($4::text[])) as "isEvery"
       from (select coalesce($2::text, (select k.created_by from api_key k where k.id = $3)) as member) r`,
    [accountId, userId, apiKeyId, rolesOf[permission]],
  );
  const [found] = rows;
  return found?.isEvery ? null : { memberId: found?.member ?? null, apiKeyId };
}
