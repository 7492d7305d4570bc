import { recordAction } from "../accounts/actions";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

const lockOperators = `
select u.account_id as "accountId" from "user" u join account a on a.id = u.account_id
 where u.is_operator and a.status = 'active' order by u.id for update of u`;

/** Before the wallet, as changes of the members lock them. */
const lockMembers = `select from account_member where account_id = $1 order by user_id for update`;
/** Locked, so that no account is handed over to somebody who is being erased. */
const lockPeople = `select from "user" where account_id = $1 order by id for update`;
const ownsOthers = `
select from account_member m join "user" u on u.id = m.user_id
 where u.account_id = $1 and m.account_id <> $1 and m.role = 'owner' limit 1`;
/** In the other accounts of the people who are erased: also ends what they made there that still gives access. */
const revokeTheirKeys = `
with people as (select id from "user" where account_id = $1),
     makers as (select id from people union all select id from management_key where created_by in (select id from people)),
     invitations as (update account_invitation set revoked_at = now()
        where created_by in (select id from makers) and account_id <> $1 and accepted_at is null and revoked_at is null),
     keys as (update api_key set revoked_at = now() where created_by in (select id from people) and account_id <> $1 and revoked_at is null)
update management_key set revoked_at = now() where created_by in (select id from people) and account_id <> $1 and revoked_at is null`;

const pauseTheirWebhooks = `
select m.account_id as account, webhook_pause_made(m.account_id, m.user_id) as id
  from account_member m join "user" u on u.id = m.user_id where u.account_id = $1 and m.account_id <> $1`;

/**
 * Closes an account for good and erases the people in it; what the ledger wrote stays under the
 * account's id. Rejects with `not_found`, `requests_running`, `owns_other_account` or `last_operator`, and with
 * `account_suspended` if its own user asks (`isOwn`). Repeating it changes nothing.
 */
export function closeAccount(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { accountId, isOwn = false }: { accountId: string; isOwn?: boolean },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    // Locked in one order: of the last two operators, the second waits and then sees that it is alone.
    const { rows: operators } = await client.query<{ accountId: string }>(lockOperators);
    if (operators.length > 0 && operators.every((each) => each.accountId === accountId))
      throw new RelayError("last_operator");
    const { rows } = await client.query<{ status: string }>(
      "select status from account where id = $1 for update",
      [accountId],
    );
    if (rows[0] === undefined) throw new RelayError("not_found");
    if (rows[0].status === "closed") return;
    if (isOwn && rows[0].status === "suspended") throw new RelayError("account_suspended");
    await client.query(lockMembers, [accountId]);
    await client.query(lockPeople, [accountId]);
    const { rowCount: others } = await client.query(ownsOthers, [accountId]);
    if (others !== 0) throw new RelayError("owns_other_account");
    await client.query(revokeTheirKeys, [accountId]);
    const { rows: paused } = await client.query<{ account: string; id: string }>(
      pauseTheirWebhooks,
      [accountId],
    );
    for (const { account, id } of paused)
      await recordAction(client, actor, "webhook.pause", id, { detail: { account } });
    const erased = await client.query<{ running: number }>("select account_erase($1) as running", [
      accountId,
    ]);
    const running = erased.rows[0]?.running ?? 0;
    if (running > 0)
      throw new RelayError("requests_running", {
        message: `${running} requests of this account are still running. Delete it when they have ended.`,
      });
    await recordAction(client, actor, "account.close", accountId);
  });
}
