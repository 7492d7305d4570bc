/** What a user has begins anew when whoever used it until now may have been a stranger. */
import type { Transaction } from "../db/client";
import { isRecord } from "../values/records";

/** How much of what was found, and is gone. */
export const foundThings = [
  "keys",
  "managementKeys",
  "operatorKeys",
  "members",
  "memberships",
  "invitations",
  "webhooks",
  "cards",
  "billing",
  "callbacks",
  "identities",
  "passkeys",
  "apps",
] as const;
export type Found = Readonly<Partial<Record<(typeof foundThings)[number], number>>>;

/**
 * Locks the members of the accounts that a user owns, as changes of them do, before the user's row
 * is changed.
 */
export async function lockOwned(transaction: Transaction, userId: string): Promise<void> {
  await transaction.$queryRaw`
    select from account_member where account_id in (
      select account_id from account_member where user_id = ${userId} and role = 'owner')
     order by account_id, user_id for update`;
}

/** See `account_renew`. The caller has locked the members, then changed the user's row. */
export async function renewUser(transaction: Transaction, userId: string): Promise<Found> {
  const [row] = await transaction.$queryRaw<{ found: unknown }[]>`
    select account_renew(${userId}) as found`;
  const counts = isRecord(row?.found) ? row.found : {};
  return Object.fromEntries(
    foundThings.flatMap((name) => {
      const count = Number(counts[name] ?? 0);
      return count > 0 ? [[name, count]] : [];
    }),
  );
}
