/**
 * Wants an account's points leases back from all processes, for whoever needs the points
 * themselves: a hold that was refused for want of them, somebody who takes points away, a key that
 * gets its first limit.
 */
import type pg from "pg";
import { RelayError } from "../errors";
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
    left = await leasedOf(pool, account);
  }
  return left < before;
}

async function leasedOf(pool: pg.Pool, account: string): Promise<bigint> {
  const { rows } = await pool.query<{ leased: string }>(
    "select leased from wallet where account_id = $1",
    [account],
  );
  return BigInt(rows[0]?.leased ?? 0);
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

  /** Throws `service_busy` while a dead process has a lease that nobody has returned yet. */
  async allBack(account: string): Promise<void> {
    await this.recall(account);
    if ((await leasedOf(this.pool, account)) > 0n)
      throw new RelayError("service_busy", { retryAfterSeconds: 5 });
  }
}
