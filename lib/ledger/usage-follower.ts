/** Keeps the sums of ended requests up to date while this process runs. */
import { pause } from "../pause";
import { openLedgerPool } from "./ledger-pool";
import { countPiece } from "./usage-counter";

const LOOK_MS = 1000;
const AFTER_FAILURE_MS = 5000;
const PATIENCE_MS = 6000;

/**
 * Counts every second, and as long as more is left, half of the time. It has a connection of its
 * own. A failure is reported once and tried again.
 */
export function followUsage(
  databaseUrl: string,
  onProblem: (error: unknown) => void,
): { close(): Promise<void> } {
  const pool = openLedgerPool(databaseUrl, PATIENCE_MS, 1);
  const stopped = new AbortController();
  let hadProblem = false;
  /** Returns how long to wait for the next turn. */
  async function turn(): Promise<number> {
    const startedAt = performance.now();
    try {
      const isMore = await countPiece(pool);
      hadProblem = false;
      return isMore ? performance.now() - startedAt : LOOK_MS;
    } catch (error) {
      if (!hadProblem && !stopped.signal.aborted) onProblem(error);
      hadProblem = true;
      return AFTER_FAILURE_MS;
    }
  }
  async function follow(): Promise<void> {
    while (!stopped.signal.aborted)
      await pause(await turn(), { signal: stopped.signal, isUnref: true });
  }
  const following = follow();
  return {
    async close() {
      stopped.abort();
      await following;
      await pool.end();
    },
  };
}
