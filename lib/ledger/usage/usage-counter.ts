/**
 * Moves ended requests into the sums (`usage_day` and its siblings), once each, and makes the sums of
 * parts of hours and of blocks of four hours.
 */
import type pg from "pg";

/** A transaction of 0.2 s at most, where nearly every request has an hour of its own. */
const PIECE = 2000;

/**
 * Counts a piece of the requests that wait, and makes the parts and blocks of some hours that are over.
 * Returns true when more are left. Does nothing while another process counts.
 */
export async function countPiece(
  pool: Pick<pg.ClientBase, "query">,
  most = PIECE,
): Promise<boolean> {
  const waiting = await pool.query<{ n: number | null }>("select usage_count_waiting($1) as n", [
    most,
  ]);
  const isMore = async (name: string) =>
    (await pool.query<{ more: boolean }>(`select ${name}() as more`)).rows[0]?.more === true;
  const kept = [await isMore("usage_cut_hours"), await isMore("usage_make_blocks")];
  return waiting.rows[0]?.n === most || kept.includes(true);
}

/** Counts everything that waits now. */
export async function countAll(pool: Pick<pg.ClientBase, "query">): Promise<void> {
  while (await countPiece(pool));
}
