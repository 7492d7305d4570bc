/**
 * One or two connections for an audit. With two, two processes of PostgreSQL read at the same time,
 * in one snapshot.
 */
import type pg from "pg";
import { onlyRow } from "../../db/only-row";

export type Queries = Pick<pg.ClientBase, "query">;

export interface ConnectionOptions {
  /** Opens another connection with the role and the settings of the audit's own. */
  openSecond?(): Promise<pg.Client>;
  /** Called once, when the second connection cannot be had or is lost. The audit continues on one. */
  onAlone?(error: unknown): void;
}

/** For each transaction of an audit: its processes are the connections, and it sorts in memory. */
export const READING = "set local jit = off; set local work_mem = '64MB'";

/**
 * For joins of ranges of ids, in a transaction. The planner expects one row in a range that is shorter
 * than a bin of its histogram, and would compare each row with each other: no loop but those that are
 * written as `lateral`.
 */
export const BY_RANGES = "set local enable_nestloop = off";

/**
 * The first connection may have a lock for which the second one would wait behind somebody who waits
 * for the first. It gives up instead.
 */
const LOCK_MS = 3000;

export class AuditConnections {
  readonly first: Queries;
  readonly #options: ConnectionOptions;
  #second: pg.Client | null = null;
  #isAlone: boolean;

  constructor(first: Queries, options: ConnectionOptions = {}) {
    this.first = first;
    this.#options = options;
    this.#isAlone = options.openSecond === undefined;
  }

  /**
   * Runs both at once, in the snapshot of the first connection's transaction, which must be
   * `repeatable read`. `beside` runs on the second connection, and does not see what `work` writes.
   * Where there is no second connection, or it fails, `beside` runs on the first one, after `work`.
   */
  async both<A, B>(
    work: () => Promise<A>,
    beside: (client: Queries) => Promise<B>,
  ): Promise<[A, B]> {
    const second = await this.#open();
    if (second === null) return [await work(), await beside(this.first)];
    const { snapshot } = onlyRow(
      await this.first.query<{ snapshot: string }>(
        "select pg_export_snapshot() as snapshot, set_config('max_parallel_workers_per_gather', '0', true)",
      ),
    );
    const [done, other] = await Promise.allSettled([
      work(),
      inTheSame(second, snapshot, () => beside(second)),
    ]);
    if (other.status === "rejected") await this.#leave(other.reason);
    if (done.status === "rejected") throw done.reason;
    return [done.value, other.status === "fulfilled" ? other.value : await beside(this.first)];
  }

  /** How many connections are there to share work. */
  async count(): Promise<number> {
    return (await this.#open()) === null ? 1 : 2;
  }

  async end(): Promise<void> {
    this.#isAlone = true;
    const second = this.#second;
    this.#second = null;
    await second?.end().catch(() => {});
  }

  async #open(): Promise<pg.Client | null> {
    if (this.#isAlone || this.#second !== null) return this.#second;
    try {
      const second = (await this.#options.openSecond?.()) ?? null;
      // Its statement rejects as well; without a listener a lost connection would end the process.
      second?.on("error", () => {});
      this.#second = second;
    } catch (error) {
      await this.#leave(error);
    }
    return this.#second;
  }

  async #leave(error: unknown): Promise<void> {
    await this.end();
    this.#options.onAlone?.(error);
  }
}

async function inTheSame<T>(client: Queries, snapshot: string, work: () => Promise<T>): Promise<T> {
  await client.query(
    `begin isolation level repeatable read read only; set transaction snapshot '${snapshot}';
     ${READING}; set local max_parallel_workers_per_gather = 0; set local lock_timeout = ${LOCK_MS}`,
  );
  const done = await work();
  await client.query("rollback");
  return done;
}
