/**
 * Wants an account's points leases back from all processes, for whoever needs the points
 * themselves: a hold that was refused for want of them, somebody who takes points away, a key that
 * gets its first limit.
 */
import type pg from "pg";
import { RelayError } from "../errors";
import { pause } from "../pause";
import { askNumbered } from "./ask-numbered";
import { withRetries } from "./with-retries";

const POLL_MS = 10;
/** Longer than a living process takes; those of a dead one come back when it is swept. */
const PATIENCE_MS = 2000;

/**
 * True when points were leased and are back, all or some: asking again may succeed. Throws
 * `database_unavailable` when the database does not say.
 */
export async function recallLeases(
  pool: pg.Pool,
  account: string,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  let isRepeated = false;
  const before = await withRetries(async (isAgain) => {
    isRepeated = isAgain;
    const recall = "select ledger_recall($1)::text as answer, $2::int as number";
    return BigInt(await askNumbered(pool, recall, [account]));
  });
  // A recall whose answer was lost may have brought them back.
  if (before === 0n) return isRepeated;
  let left = before;
  for (const until = performance.now() + patienceMs; left > 0n && performance.now() < until; ) {
    await pause(POLL_MS);
    left = await leasedOf(pool, account);
  }
  return left < before;
}

const leasedOf = (pool: pg.Pool, account: string): Promise<bigint> =>
  withRetries(async () => {
    const leased =
      "select coalesce((select leased from wallet where account_id = $1), 0)::text as answer, $2::int as number";
    return BigInt(await askNumbered(pool, leased, [account]));
  });

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
