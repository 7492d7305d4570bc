/** Moves ended requests into the sums (`usage_hour` and its siblings), once each. */
import type pg from "pg";

/** A transaction of 0.2 s at most, where nearly every request has an hour of its own. */
const PIECE = 2000;

/**
 * Counts a piece of the requests that wait. Returns true when more are left. Does nothing while
 * another process counts.
 */
export async function countPiece(
  pool: Pick<pg.ClientBase, "query">,
  most = PIECE,
): Promise<boolean> {
  const { rows } = await pool.query<{ n: number | null }>("select usage_count_waiting($1) as n", [
    most,
  ]);
  return rows[0]?.n === most;
}

/** Counts everything that waits now. */
export async function countAll(pool: Pick<pg.ClientBase, "query">): Promise<void> {
  while (await countPiece(pool));
}
