/**
 * Pauses keys that spend more within an hour than their owners allow. It reads the ledger's daily
 * sums every few seconds, so that it does not slow requests down. What is charged before it reacts
 * stays charged.
 */
import type pg from "pg";
import type { Transaction } from "../db/client";
import { inTransaction } from "../db/transaction";
import { type Running, startWorker } from "../timing/worker";

const EVERY_MS = 5000;

const today = "(now() at time zone 'UTC')::date";
const isWatched = "k.hourly_spend_max is not null and k.paused_at is null and k.revoked_at is null";
const dayAmountIn = (sums: string) =>
  `coalesce((select sum(u.amount) from ${sums} u where u.account_id = k.account_id and u.day = ${today} and u.api_key_id = k.id), 0)`;
/** Of the sums alone, a second late: for all keys every few seconds. */
const dayAmount = dayAmountIn("usage_day");

/**
 * The hour is counted from the newest mark that is an hour old; a watch that is younger counts from
 * its first mark. A task may be settled a day after its key was used. Sorted, so that all keys are
 * locked before the audit log; a key's change locks them in the same order.
 */
const pauseSpenders = `
  with spent as (
    select k.id, coalesce(sum(u.amount), 0) - b.day_amount as amount
      from api_key k
      cross join lateral (
        select m.day, m.day_amount from api_key_spend_mark m where m.api_key_id = k.id
         order by m.at <= now() - interval '1 hour' desc,
                  case when m.at <= now() - interval '1 hour' then m.at end desc, m.at limit 1) b
      left join usage_day u on u.account_id = k.account_id and u.day >= b.day and u.api_key_id = k.id
     where ${isWatched} and k.last_used_at > now() - interval '26 hours'
     group by k.id, b.day_amount, k.hourly_spend_max having coalesce(sum(u.amount), 0) - b.day_amount > k.hourly_spend_max
  ), paused as (
    update api_key k set paused_at = now(), paused_spend = s.amount from spent s where k.id = s.id and k.paused_at is null
      returning k.id, k.account_id, k.paused_spend, k.hourly_spend_max
  )
  insert into operator_action (actor, action, subject, detail)
    select 'system', 'key.pause', id, jsonb_build_object('account', account_id, 'spent', paused_spend::text, 'hourlySpendMax', hourly_spend_max::text)
      from paused order by id`;

/** A mark at most every minute while the key spends; an idle key needs none. */
const markSums = `
  insert into api_key_spend_mark (api_key_id, day, day_amount)
    select k.id, ${today}, ${dayAmount} from api_key k
      left join lateral (select m.at, m.day, m.day_amount from api_key_spend_mark m where m.api_key_id = k.id order by m.at desc limit 1) l on true
     where ${isWatched} and (l.at is null or (k.last_used_at > now() - interval '26 hours' and l.at < now() - interval '55 seconds'
       and (l.day_amount <> ${dayAmount} or (l.day <> ${today} and ${dayAmount} > 0))))
  on conflict do nothing`;

const removeOldMarks = `
  delete from api_key_spend_mark m where exists (
    select from api_key_spend_mark n where n.api_key_id = m.api_key_id and n.at > m.at and n.at <= now() - interval '1 hour')`;

/** With what waits for the sums: it was spent before. */
const startOver = `
  insert into api_key_spend_mark (api_key_id, day, day_amount) select k.id, ${today}, ${dayAmountIn("usage_of_day")} from api_key k where k.id = $1
  on conflict do nothing`;

/**
 * Restarts the watch of a key with nothing spent, after its limit was set or the key was resumed.
 */
export async function restartSpendWatch(transaction: Transaction, apiKeyId: string): Promise<void> {
  await transaction.apiKeySpendMark.deleteMany({ where: { apiKeyId } });
  await transaction.$executeRawUnsafe(startOver, apiKeyId);
}

/** Runs the statements in one transaction, unless another process does so now. */
async function runAlone(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ is_mine: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('spend-watch', 7275615)) as is_mine",
    );
    if (rows[0]?.is_mine) for (const text of statements) await client.query(text);
  });
}

const isAnyWatched = `select exists (select from api_key k where ${isWatched}) as is_any`;

/** Checks all keys once; does nothing while another process does, or where no key is watched. */
export async function pauseSuddenSpenders(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ is_any: boolean }>(isAnyWatched);
  if (rows[0]?.is_any !== true) return;
  await runAlone(pool, [pauseSpenders]);
  // In separate transactions: a key's change locks its marks before the audit log, which a pause
  // keeps locked until its commit.
  await runAlone(pool, [markSums, removeOldMarks]);
}

/** Checks every five seconds. A failure is reported once and tried again. */
export const watchSpending = (pool: pg.Pool, onProblem: (error: unknown) => void): Running =>
  startWorker({
    async turn() {
      await pauseSuddenSpenders(pool);
      return EVERY_MS;
    },
    afterFailureMs: EVERY_MS,
    onProblem,
  });
