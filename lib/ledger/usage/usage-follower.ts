/** Keeps the sums of ended requests up to date while this process runs. */
import { halfOfTheTime, type Running, startWorker } from "../../timing/worker";
import { openLedgerPool } from "../core/ledger-pool";
import { countPiece } from "./usage-counter";

const LOOK_MS = 1000;
/** While this process writes nothing, another one may. */
const IDLE_LOOKS = 3;
const AFTER_FAILURE_MS = 5000;
const PATIENCE_MS = 6000;

/**
 * Counts every second while this process writes batches, else every three; and as long as more is left,
 * half of the time. It has a connection of its own. A failure is reported once and tried again.
 */
export function followUsage(
  databaseUrl: string,
  onProblem: (error: unknown) => void,
  batches: () => number = () => 0,
): Running {
  const pool = openLedgerPool(databaseUrl, PATIENCE_MS, 1);
  let counted = -1;
  let skipped = 0;
  const countNew = async () => {
    const written = batches();
    if (written === counted && ++skipped < IDLE_LOOKS) return false;
    skipped = 0;
    const isMore = await countPiece(pool);
    counted = isMore ? -1 : written;
    return isMore;
  };
  const rounds = startWorker({
    turn: halfOfTheTime(countNew, LOOK_MS),
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
