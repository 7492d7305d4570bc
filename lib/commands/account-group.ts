import { recordAction } from "../accounts/actions";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { lockGroup } from "./stored-group";

interface Account {
  readonly status: string;
  readonly groupId: string | null;
  readonly name: string | null;
}

const locked = `select a.status, a.group_id as "groupId", g.name from account a left join account_group g on g.id = a.group_id
  where a.id = $1 for update of a`;

/**
 * Puts an account into a group, out of the one it was in, or into none, for requests from now on.
 * Repeating it changes nothing. Rejects with `not_found`, and with `invalid_value` for a closed
 * account.
 */
export function changeAccountGroup(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  input: { accountId: string; groupId: string | null; reason: string | null },
): Promise<void> {
  const { accountId, groupId, reason } = input;
  return inTransaction(pool, async (client) => {
    const group = groupId === null ? null : await lockGroup(client, groupId, "key share");
    const { rows } = await client.query<Account>(locked, [accountId]);
    const [account] = rows;
    if (account === undefined)
      throw new RelayError("not_found", { message: "There is no such account." });
    if (account.groupId === groupId) return;
    if (account.status === "closed") {
      const message = "A closed account cannot be in a group.";
      throw invalidValue("group", message);
    }
    await client.query("update account set group_id = $2 where id = $1", [accountId, groupId]);
    await recordAction(client, actor, "account.group", accountId, {
      ...(reason === null ? {} : { detail: { reason } }),
      before: { group: account.name },
      after: { group: group?.name ?? null },
    });
  });
}
