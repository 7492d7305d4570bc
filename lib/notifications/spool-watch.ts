/** Tells operators, once the database answers again, that ends of requests waited on this process's disk. */
import type pg from "pg";
import { type Running, startWorker } from "../timing/worker";

const LOOK_MS = 10_000;

const tell = `select notification_to_operators('spool_used', $1, jsonb_build_object('node', $2::text, 'ends', $3::int, 'since', $4::text))`;

/** The ends that were spooled and are not told yet. */
export class SpooledEnds {
  #count = 0;
  #since = "";

  note(): void {
    if (this.#count === 0) this.#since = new Date().toISOString();
    this.#count++;
  }

  async tell(pool: Pick<pg.Pool, "query">, nodeId: string): Promise<void> {
    const count = this.#count;
    if (count === 0) return;
    await pool.query(tell, [`${nodeId}:${this.#since}`, nodeId, count, this.#since]);
    this.#count -= count;
  }
}

export function watchSpool(
  spooled: SpooledEnds,
  { pool, nodeId }: { readonly pool: Pick<pg.Pool, "query">; readonly nodeId: string },
  onProblem: (error: unknown) => void,
  lookMs = LOOK_MS,
): Running {
  return startWorker({
    async turn() {
      await spooled.tell(pool, nodeId);
      return lookMs;
    },
    afterFailureMs: lookMs,
    onProblem,
  });
}
