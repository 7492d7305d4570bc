/** Finds what people must be told of, account by account. */
import type pg from "pg";
import { transact } from "../db/transaction";
import { findLowBalances } from "./find-balance";
import { findUsedKeyBudgets, findUsedMemberBudgets, findUsedTagBudgets } from "./find-budgets";
import { findExpiries } from "./find-expiries";
import { findEndingPoints } from "./find-lots";
import { findPriceChanges } from "./find-prices";

const finders = [
  findLowBalances,
  findUsedKeyBudgets,
  findUsedMemberBudgets,
  findUsedTagBudgets,
  findExpiries,
  findEndingPoints,
  findPriceChanges,
];

const ACCOUNTS_AT_ONCE = 500;
const nextAccounts =
  "select id from account where id > $1 and status = 'active' order by id limit $2";

/** Only one process finds at a time; another one does nothing. Held until the connection ends. */
const lead = "select pg_try_advisory_lock(hashtextextended('notifications', 7275615)) as is_leader";

/** A pass over all accounts, some of them in each commit. Stops early with `signal`. */
export async function findAll(client: pg.ClientBase, signal?: AbortSignal): Promise<void> {
  for (let after = ""; signal?.aborted !== true; ) {
    const { rows } = await client.query<{ id: string }>(nextAccounts, [after, ACCOUNTS_AT_ONCE]);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    for (const find of finders) await transact(client, () => client.query(find, [ids]));
    after = last;
  }
}

/** One pass of the process that leads. Returns whether it was this one. */
export async function findAlone(client: pg.ClientBase, signal?: AbortSignal): Promise<boolean> {
  const { rows } = await client.query<{ is_leader: boolean }>(lead);
  if (rows[0]?.is_leader !== true) return false;
  await findAll(client, signal);
  return true;
}
