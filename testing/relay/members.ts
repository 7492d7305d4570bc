/** The members of a test relay's account: its owner, who made the management key, and a developer. */
import { managementScopes } from "@/lib/contract/states";
import type { TestRelay } from "./test-relay";

export async function seedMembers({
  pool,
  accountId,
}: Pick<TestRelay, "pool" | "accountId">): Promise<void> {
  await pool.query("insert into account (id) values ('acct_joined')");
  await pool.query(
    `insert into "user" (id, email, account_id) values ('user_owner', 'owner@example.com', $1), ('user_joined', 'member@example.com', 'acct_joined')`,
    [accountId],
  );
  await pool.query(
    "insert into management_key (id, account_id, name, key_hash, hint, scopes, created_by) values ('mkey_a', $1, 'manage', sha256('manage'), 'manage', $2, 'user_owner')",
    [accountId, managementScopes],
  );
  await joinAgain({ pool, accountId });
}

/** The developer is a member, also after having been removed. */
export const joinAgain = ({ pool, accountId }: Pick<TestRelay, "pool" | "accountId">) =>
  pool.query(
    "insert into account_member (account_id, user_id, role) values ($1, 'user_joined', 'developer') on conflict do nothing",
    [accountId],
  );
