/** Keeps months of requests in the tables while something reads them in more than one snapshot. */
import type pg from "pg";

type Queries = Pick<pg.ClientBase, "query">;

/** Shared by those who read, exclusive while a month is dropped. */
export const MONTHS_LOCK = 7_340_216;

/** Until the connection ends, no month is dropped. Waits for a drop that is being written. */
export async function keepMonths(client: Queries): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [MONTHS_LOCK]);
}

/** While `work` runs, no month is dropped. */
export async function withMonthsKept<T>(client: Queries, work: () => Promise<T>): Promise<T> {
  await keepMonths(client);
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock_shared($1)", [MONTHS_LOCK]).catch(() => {});
  }
}
