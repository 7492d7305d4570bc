/** Keeps the sums of ended requests up to date while this process runs. */
import { halfOfTheTime, type Running, startRounds } from "../../rounds";
import { openLedgerPool } from "../core/ledger-pool";
import { countPiece } from "./usage-counter";

const LOOK_MS = 1000;
const AFTER_FAILURE_MS = 5000;
const PATIENCE_MS = 6000;

/**
 * Counts every second, and as long as more is left, half of the time. It has a connection of its
 * own. A failure is reported once and tried again.
 */
export function followUsage(databaseUrl: string, onProblem: (error: unknown) => void): Running {
  const pool = openLedgerPool(databaseUrl, PATIENCE_MS, 1);
  const rounds = startRounds({
    turn: halfOfTheTime(() => countPiece(pool), LOOK_MS),
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
