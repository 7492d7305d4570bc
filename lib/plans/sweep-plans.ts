/** Gives the points of plans and takes those that ended, at their time, in whichever process. */
import type pg from "pg";
import { inTransaction } from "../db/transaction";
import { expireLots } from "../ledger/core/lots";
import { awaitsPayment, periodsPaid } from "./paid-periods";
import { renewPlan } from "./plan-events";

const AT_ONCE = 200;

/** As `renewPlan` has it. */
const due = `
  account_plan p join account a on a.id = p.account_id
   where p.status <> 'ended' and p.period_ends_at <= $1
     and ((p.ends_with_period and ${periodsPaid("p")} = 0) or a.status = 'closed'
       or (p.status = 'active' and a.status = 'active' and (not ${awaitsPayment("p")} or p.unpaid_until <= $1)))`;
const dueQuery = `select p.account_id as id from ${due} and p.account_id > $2 order by 1 limit ${AT_ONCE}`;

/** Of an account whose plan is due, a part of the points may go on: they end when it is renewed. */
const endedQuery = `
select distinct l.account_id as id from point_lot l
 where l.left_amount > 0 and l.ends_at <= $1 and l.account_id > $2
   and not exists (select from ${due} and p.account_id = l.account_id) order by 1 limit ${AT_ONCE}`;

/** One failure does not stop the others; the first one is thrown at the end. */
async function forEach(
  pool: pg.Pool,
  query: string,
  upto: Date,
  work: (accountId: string) => Promise<unknown>,
): Promise<void> {
  let failed: PromiseRejectedResult | undefined;
  for (let after = ""; ; ) {
    const { rows } = await pool.query<{ id: string }>(query, [upto, after]);
    for (const { id } of rows) {
      after = id;
      const [result] = await Promise.allSettled([work(id)]);
      if (result.status === "rejected") failed ??= result;
    }
    if (rows.length < AT_ONCE) break;
  }
  if (failed !== undefined) throw failed.reason;
}

/**
 * Renews or ends the plans whose period is over, and takes what ended of other points. Each account
 * is a commit of its own, under the lock of its plan or its wallet, so this is safe to run anywhere,
 * any time, and catches up after a stop.
 */
export async function sweepPlans(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ now: Date }>("select clock_timestamp() as now");
  const upto = rows[0]?.now ?? new Date();
  const renew = (id: string) => inTransaction(pool, (client) => renewPlan(client, id));
  const done = await Promise.allSettled([
    forEach(pool, dueQuery, upto, renew),
    forEach(pool, endedQuery, upto, (id) => expireLots(pool, id, upto)),
  ]);
  for (const result of done) if (result.status === "rejected") throw result.reason;
}
