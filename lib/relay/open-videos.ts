/** Joins the parts of the video state machine for one process. */
import { openCallbacks } from "../callbacks/open-callbacks";
import type { Changes } from "../db/changes";
import { openPool } from "../db/pool";
import { createTaskWaiters } from "./task-waiters";
import { defaultVideoTimes, type VideoParts } from "./video-parts";
import { createTaskTable } from "./video-table";
import { viewOf } from "./video-view";
import { createVideoWorker } from "./video-worker";

/** Polls of customers and the worker share them; requests of other families never wait for these. */
const CONNECTIONS = 6;
const STOP_MS = 5000;

type Given = Omit<VideoParts, "table" | "waiters" | "busy" | "times">;

export interface OpenVideos {
  readonly parts: VideoParts;
  /** Begins to advance open tasks and to tell of it. */
  start(): void;
  /** Lets calls that wait for their video answer with its task. */
  drain(): void;
  /** Tasks under way stay for other processes. */
  close(): Promise<void>;
}

export interface VideoPlace {
  readonly databaseUrl: string;
  /** This process's name on the tasks it works on. */
  readonly processId: string;
  readonly changes: Changes;
  /** RELAY_SECRET. */
  readonly secret: string;
  readonly callbackNetworks: "public" | "any";
}

export function openVideos({ databaseUrl, processId, changes, secret, callbackNetworks }: VideoPlace, given: Given): OpenVideos {
  const pool = openPool(databaseUrl, CONNECTIONS);
  const table = createTaskTable(pool, processId);
  const waiters = createTaskWaiters(changes, table.statusesOf);
  const parts: VideoParts = { ...given, table, waiters, busy: new Set(), times: defaultVideoTimes };
  const worker = createVideoWorker(parts);
  const callbacks = openCallbacks({
    pool,
    secret,
    networks: callbackNetworks,
    async taskBody(accountId, taskId) {
      const task = await table.find(accountId, taskId);
      return task ? viewOf(task, given.results) : null;
    },
    log: (event, detail) => given.log.warn({ event, detail }, "callbacks"),
  });
  return {
    parts,
    start() {
      worker.start();
      callbacks.start();
    },
    drain: () => waiters.stop(),
    async close() {
      await Promise.all([worker.stop(STOP_MS), callbacks.close()]);
      waiters.close();
      await pool.end();
    },
  };
}
