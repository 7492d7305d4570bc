/** Keeps partitions of requests ready for the months to come, while this process runs. */
import { isLockTimeout } from "../../db/database-errors";
import { onlyRow } from "../../db/only-row";
import type { Reader } from "../../db/pool";
import { type Running, startWorker } from "../../timing/worker";
import { openLedgerPool } from "../core/ledger-pool";

/** Besides the one of this month. */
export const MONTHS_AHEAD = 3;
const LOOK_MS = 3_600_000;
/** The tables were in use for longer than a moment. */
const AGAIN_MS = 5000;
/** So many times in a row are no accident. */
const TRIES = 20;
const PATIENCE_MS = 6000;

/** Makes the partitions that are missing; returns how many. */
export async function makePartitions(pool: Reader, months = MONTHS_AHEAD): Promise<number> {
  const made = await pool.query<{ made: number | null }>(
    "select ledger_partitions_ahead($1) as made",
    [months],
  );
  return onlyRow(made).made ?? 0;
}

/**
 * Looks every hour, with a connection that is open only meanwhile. A failure is reported once and
 * tried again.
 */
export function keepPartitions(databaseUrl: string, onProblem: (error: unknown) => void): Running {
  return startWorker({
    turn: async () => {
      const pool = openLedgerPool(databaseUrl, PATIENCE_MS, 1);
      try {
        await makePartitions(pool);
        return LOOK_MS;
      } finally {
        await pool.end();
      }
    },
    afterFailureMs: AGAIN_MS,
    onProblem,
    reportedAfter: (error) => (isLockTimeout(error) ? TRIES : 1),
  });
}
