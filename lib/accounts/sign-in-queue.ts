import { AsyncResource } from "node:async_hooks";
import type pg from "pg";
import { connectDatabase, type Database } from "../db/client";
import { openPool } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { FairQueue } from "../limits/fair-queue";
import { addressGroup } from "./throttle";

/**
 * Hashing a password occupies a thread. Fewer run at once than there are threads, so that file
 * access and name look-ups are not blocked.
 */
const RUNNING_MAX = 2;
const WAITING_MAX = 64;
const WAITING_PER_ADDRESS_MAX = 16;
const RETRY_AFTER_SECONDS = 2;
/** A sign-in runs a handful of short queries and needs one connection of each kind at a time. */
const CONNECTIONS = RUNNING_MAX + 1;

export interface SignInQueue {
  /**
   * Runs `work`, which hashes a password or counts attempts, on connections of its own: a few at
   * once, and addresses in turn. Rejects with `service_busy` when the address has too many waiting,
   * else as `work` does.
   */
  run<T>(
    address: string | undefined,
    work: (own: { readonly database: Database; readonly pool: pg.Pool }) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export function openSignInQueue(databaseUrl: string): SignInQueue {
  const pool = openPool(databaseUrl, CONNECTIONS);
  const database = connectDatabase(databaseUrl, CONNECTIONS);
  const queue = new FairQueue<() => Promise<void>>(WAITING_MAX, WAITING_PER_ADDRESS_MAX);
  let running = 0;

  async function serve(): Promise<void> {
    running++;
    for (let next = queue.take(); next !== undefined; next = queue.take()) await next();
    running--;
  }

  return {
    run<T>(
      address: string | undefined,
      work: (own: { database: Database; pool: pg.Pool }) => Promise<T>,
    ): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        // In the context of who asked, not of whose request began to serve.
        const job = AsyncResource.bind(() => work({ database, pool }).then(resolve, reject));
        if (!queue.push(addressGroup(address), job)) {
          const message = "Too many users are signing in. Try again in a moment.";
          throw new RelayError("service_busy", { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        if (running < RUNNING_MAX) void serve();
      });
    },
    async close() {
      await Promise.allSettled([pool.end(), database.$disconnect()]);
    },
  };
}
