/** A small history of a few days, of which all but the last hours can be sealed. */
import type pg from "pg";
import { newOperationId } from "@/lib/crypto/ids";
import { openPool } from "@/lib/db/pool";
import { transact } from "@/lib/db/transaction";
import { countAll } from "@/lib/ledger/usage/usage-counter";
import { seedPrices } from "@/lib/price-book/set-price";
import { createPreparedDatabase } from "../db/test-database";
import { writeHistory } from "./history";
import { connect } from "./test-ledger";

const plan = { accounts: 12, requests: 900, days: 4, open: 6, seed: 5 };

/** `owner` is the owner's connection to the database at `databaseUrl`. */
export async function seedHistory(
  owner: pg.ClientBase,
  databaseUrl: string,
  changes: Partial<typeof plan> = {},
): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  await seedPrices(pool).finally(() => pool.end());
  await writeHistory(owner, { ...plan, ...changes });
  await countAll(owner);
  // A refund, a debit and a loss; and as if all of the journal were from the first day.
  await owner.query(`
    select ledger_refund(id, 'back', amount, 'test', 'cli') from request where amount > 0 order by id limit 1;
    select ledger_credit('acct_history_2', 'adjust_down', 'down', 7, 'test', 'cli');
    insert into operator_loss (operation_id, cause, estimate) select id, 'usage_missing', 3 from request where outcome = 'released' order by 1 limit 2`);
  await transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    await owner.query("update ledger_entry set created_at = (select min(created_at) from request)");
  });
}

/** A database of its own with that history, which is written once in a test run. */
export const createSealableHistory = (): Promise<string> =>
  createPreparedDatabase("sealable_history", async (url) => {
    const owner = await connect(url);
    await seedHistory(owner, url).finally(() => owner.end());
  });

/** Opens a request as it was opened so many hours ago, with an id of that time or of another one. */
export async function openEarlier(
  owner: pg.ClientBase,
  accountId: string,
  hours: number,
  idHours = hours,
): Promise<{ operationId: string; accountId: string }> {
  const operationId = newOperationId(Date.now() - idHours * 3_600_000);
  await transact(owner, async () => {
    await owner.query(
      `insert into open_request (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                                 request_sha256, node_id, created_at, deadline)
         select $1, $2, 'api', 'req_earlier', 'text', p.model, p.id, 1000000, 5000000, 5000000, sha256('x'), 'node_history',
                now() - make_interval(hours => $3), now() + interval '1 day' from price_version p where p.output_price > 0 order by p.id limit 1`,
      [operationId, accountId, hours],
    );
    if (idHours !== hours)
      await owner.query(
        "insert into ledger_apart (operation_id, created_at) select id, created_at from open_request where id = $1",
        [operationId],
      );
    await owner.query(
      "update wallet set version = version + 1, debits_pending = debits_pending + 5000000, open_holds = open_holds + 1 where account_id = $1",
      [accountId],
    );
  });
  return { operationId, accountId };
}
