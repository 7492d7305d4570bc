/**
 * Wants an account's points leases back from all processes, for whoever needs the points
 * themselves: a hold that was refused for want of them, somebody who takes points away, a key that
 * gets its first limit.
 */
import type pg from "pg";
import { pause } from "../pause";

const POLL_MS = 10;
/** Longer than a living process takes; those of a dead one come back when it is swept. */
const PATIENCE_MS = 2000;

/** True when points were leased and are back, all or some: asking again may succeed. */
export async function recallLeases(
  pool: pg.Pool,
  account: string,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const { rows } = await pool.query<{ leased: string }>("select ledger_recall($1) as leased", [
    account,
  ]);
  const before = BigInt(rows[0]?.leased ?? 0);
  if (before === 0n) return false;
  let left = before;
  for (const until = performance.now() + patienceMs; left > 0n && performance.now() < until; ) {
    await pause(POLL_MS);
    const read = await pool.query<{ leased: string }>(
      "select leased from wallet where account_id = $1",
      [account],
    );
    left = BigInt(read.rows[0]?.leased ?? 0);
  }
  return left < before;
}

/** Recalls for many who were refused at the same time: one of them asks, all wait. */
export class LeaseRecall {
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(readonly pool: pg.Pool) {}

  recall(account: string): Promise<boolean> {
    const running = this.#running.get(account);
    if (running) return running;
    const recall = recallLeases(this.pool, account).finally(() => this.#running.delete(account));
    this.#running.set(account, recall);
    return recall;
  }
}
