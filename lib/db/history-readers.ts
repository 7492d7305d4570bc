/**
 * The connections for reads that grow with an account's history. They are separate, so that no
 * other page waits for them; readers take turns; a reader that leaves ends its query.
 */
import { availableParallelism } from "node:os";
import type pg from "pg";
import { RelayError } from "../failures/relay-error";
import { AdmissionQueue } from "../limits/admission-queue";
import { Counts } from "../limits/counts";
import { pause } from "../timing/pause";
import { connectionsHere, openPool, type Reader } from "./pool";

export interface HistoryReaders {
  /**
   * Runs queries in the turn of `reader`, who has at most half of the connections. Throws
   * `service_busy` after a wait of 5 s. When `gone` aborts, a running query is cancelled and no
   * other one begins.
   */
  of(reader: string, gone: AbortSignal): Reader;
  close(): Promise<void>;
}

/** As many as there are cores: with more, each would only be slower. */
const CONNECTIONS = Math.min(8, Math.max(2, availableParallelism()));
const WAIT_MS = 5000;
const CANCEL_AGAIN_MS = 50;

const busy = () => new RelayError("service_busy", { retryAfterSeconds: 1 });

/** Gives out places for queries; readers take turns. */
class Places {
  readonly #running = new Counts();
  #count = 0;
  readonly #queue: AdmissionQueue;

  constructor(
    readonly most: number,
    waitMs: number,
  ) {
    this.#queue = new AdmissionQueue(waitMs, busy);
  }

  async enter(reader: string): Promise<void> {
    const perReader = Math.floor(this.most / 2);
    const hasRoom = () => this.#count < this.most && this.#running.of(reader) < perReader;
    const take = () => this.#change(reader, 1);
    if (this.#queue.isEmpty && hasRoom()) take();
    else await this.#queue.wait(reader, { hasRoom, take });
  }

  leave(reader: string): void {
    this.#change(reader, -1);
    this.#queue.serve();
  }

  #change(reader: string, by: number): void {
    this.#running.change(reader, by);
    this.#count += by;
  }
}

/** A connection with the number of its process in PostgreSQL, which the driver does not declare. */
type Connection = pg.PoolClient & { readonly processID?: number };

/**
 * Runs `work` on a connection. When `gone` aborts, the running query is cancelled, again and again:
 * a cancellation that arrives before the query has no effect. The connection is then not used again,
 * because a cancellation may arrive late.
 */
async function runUntilGone<Result>(
  pools: { readonly reads: pg.Pool; readonly cancels: pg.Pool },
  gone: AbortSignal,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  gone.throwIfAborted();
  const connection: Connection = await pools.reads.connect();
  let cancelling: Promise<void> | undefined;
  let isOver = false;
  const cancelUntilOver = async () => {
    for (; !isOver; await pause(CANCEL_AGAIN_MS))
      await pools.cancels
        .query("select pg_cancel_backend($1)", [connection.processID])
        .catch(() => {});
  };
  const cancel = () => {
    cancelling = cancelUntilOver();
  };
  gone.addEventListener("abort", cancel, { once: true });
  try {
    gone.throwIfAborted();
    return await work(connection);
  } finally {
    isOver = true;
    gone.removeEventListener("abort", cancel);
    await cancelling;
    connection.release(gone.aborted);
  }
}

/** `cancels`: the pool over which a running query is cancelled. */
export function openHistoryReaders(
  databaseUrl: string,
  cancels: pg.Pool,
  bounds: { connections?: number; waitMs?: number; statementMs?: number } = {},
): HistoryReaders {
  const { connections = CONNECTIONS, waitMs = WAIT_MS, statementMs } = bounds;
  const reads = openPool(databaseUrl, connections, statementMs);
  const places = new Places(connectionsHere(connections), waitMs);
  return {
    of: (reader, gone) => ({
      async query(text, values) {
        gone.throwIfAborted();
        await places.enter(reader);
        try {
          return await runUntilGone({ reads, cancels }, gone, (connection) =>
            connection.query(text, values),
          );
        } finally {
          places.leave(reader);
        }
      },
    }),
    close: () => reads.end(),
  };
}
