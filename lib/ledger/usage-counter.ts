/**
 * Moves ended requests into the sums (`usage_hour` and its siblings), once each, and makes the sums of
 * parts of hours.
 */
import type pg from "pg";

/** A transaction of 0.2 s at most, where nearly every request has an hour of its own. */
const PIECE = 2000;

/**
 * Counts a piece of the requests that wait, and a piece of those that ended before there were sums,
 * and makes the parts of some hours that are over. Returns true when more are left. Does nothing while another process counts.
 */
export async function countPiece(
  pool: Pick<pg.ClientBase, "query">,
  most = PIECE,
): Promise<boolean> {
  const waiting = await pool.query<{ n: number | null }>("select usage_count_waiting($1) as n", [
    most,
  ]);
  const earlier = await pool.query<{ n: number | null }>("select usage_count_earlier($1) as n", [
    most,
  ]);
  const cut = await pool.query<{ more: boolean }>("select usage_cut_hours() as more");
  return waiting.rows[0]?.n === most || earlier.rows[0]?.n === most || cut.rows[0]?.more === true;
}

/** Counts everything that waits now. */
export async function countAll(pool: Pick<pg.ClientBase, "query">): Promise<void> {
  while (await countPiece(pool));
}
