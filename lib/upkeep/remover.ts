/** Removes rows whose time is over while this process runs, as fast as they come. */
import { performance } from "node:perf_hooks";
import type pg from "pg";
import { isQueryCanceled } from "../db/database-errors";
import { openPool } from "../db/pool";
import { inTransaction } from "../db/transaction";
import { halfOfTheTime, type Running, startWorker } from "../timing/worker";
import { type KeepTimes, type ShortLived, shortLived } from "./short-lived";

const PIECE_LEAST = 20;
const PIECE_FIRST = 1000;
const PIECE_MOST = 5000;
/** Long enough for a commit to be worth it, short enough not to be in the way. */
const PIECE_MS = 100;
const LOOK_MS = 30_000;
const AFTER_FAILURE_MS = 5000;

const lead = "select pg_try_advisory_xact_lock(hashtextextended('upkeep', 7275615)) as is_leader";

interface Place {
  readonly kind: ShortLived;
  /** How many rows the next piece may have. */
  size: number;
}

/** One process at a time removes; another one does nothing. */
export function createRemover(pool: pg.Pool, keep: KeepTimes) {
  const places = shortLived(keep).map((kind): Place => ({ kind, size: PIECE_FIRST }));

  /** Rows with large bodies come in smaller pieces. Returns whether more rows wait. */
  async function removePiece(place: Place): Promise<boolean> {
    const { kind, size } = place;
    const startedAt = performance.now();
    const removed = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ is_leader: boolean }>(lead);
      if (rows[0]?.is_leader !== true) return 0;
      return (await client.query(kind.removal, [size])).rowCount ?? 0;
    }).catch((error: unknown) => {
      if (!isQueryCanceled(error) || size === PIECE_LEAST) throw error;
      return null;
    });
    const took = performance.now() - startedAt;
    const fitting = removed === null ? size / 4 : (size * PIECE_MS) / Math.max(took, 1);
    // A piece that is not full says little about the next one.
    if (removed === null || removed === size)
      place.size = Math.round(Math.min(PIECE_MOST, Math.max(PIECE_LEAST, size / 4, fitting)));
    return removed === null || removed === size;
  }

  return {
    /** A piece of each kind. Returns whether any has more. */
    async removePieces(): Promise<boolean> {
      let isMore = false;
      for (const place of places) isMore = (await removePiece(place)) || isMore;
      return isMore;
    },
  };
}

/**
 * Looks every 30 seconds, unless `lookMs` says another time, and, as long as more is left, removes for half of
 * the time. It has a connection of its own. A failure is reported once and tried again.
 */
export function startRemover(
  databaseUrl: string,
  keep: KeepTimes,
  onProblem: (error: unknown) => void,
  lookMs = LOOK_MS,
): Running {
  const pool = openPool(databaseUrl, 1);
  const rounds = startWorker({
    turn: halfOfTheTime(createRemover(pool, keep).removePieces, lookMs),
    afterFailureMs: AFTER_FAILURE_MS,
    onProblem,
  });
  return {
    async close() {
      await rounds.close();
      await pool.end();
    },
  };
}
