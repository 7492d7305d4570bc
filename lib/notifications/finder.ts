/** Looks for what people must be told of while this process runs. */
import { openPool } from "../db/pool";
import { pause } from "../pause";
import { findAlone } from "./find";

const EVERY_MS = 60_000;

/** It has a connection of its own, which holds the lead. A failure is reported once. */
export function startFinder(
  databaseUrl: string,
  onProblem: (error: unknown) => void,
): { close(): Promise<void> } {
  const pool = openPool(databaseUrl, 1);
  const stopped = new AbortController();
  let hadProblem = false;
  async function turn(): Promise<void> {
    try {
      const client = await pool.connect();
      try {
        await findAlone(client, stopped.signal);
      } finally {
        client.release();
      }
      hadProblem = false;
    } catch (error) {
      if (!hadProblem && !stopped.signal.aborted) onProblem(error);
      hadProblem = true;
    }
  }
  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      await turn();
      await pause(EVERY_MS, { signal: stopped.signal, isUnref: true });
    }
  }
  const looking = look();
  return {
    async close() {
      stopped.abort();
      await looking;
      await pool.end();
    },
  };
}
