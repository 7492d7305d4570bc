/** Looks for what people must be told of while this process runs. */
import { openPool } from "../db/pool";
import { type Running, startWorker } from "../timing/worker";
import { findAlone } from "./find";

const EVERY_MS = 60_000;

/** It has a connection of its own, which holds the lead. A failure is reported once. */
export function startFinder(databaseUrl: string, onProblem: (error: unknown) => void): Running {
  const pool = openPool(databaseUrl, 1);
  const rounds = startWorker({
    turn: async (stopped) => {
      const client = await pool.connect();
      try {
        await findAlone(client, stopped);
      } finally {
        client.release();
      }
      return EVERY_MS;
    },
    afterFailureMs: EVERY_MS,
    onProblem,
  });
  return {
    async close() {
      await rounds.close();
      await pool.end();
    },
  };
}
