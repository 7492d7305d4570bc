/** Joins the parts of the video state machine for one process. */
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
  /** What a poll of the task answers its account; null when it has none such. */
  taskBody(accountId: string, taskId: string): Promise<object | null>;
  /** Begins to advance open tasks. */
  start(): void;
  /** Lets calls that wait for their video answer with its task. */
  drain(): void;
  /** Tasks under way stay for other processes. */
  close(): Promise<void>;
}

/** `processId` is this process's name on the tasks it works on. */
export function openVideos(databaseUrl: string, processId: string, changes: Changes, given: Given): OpenVideos {
  const pool = openPool(databaseUrl, CONNECTIONS);
  const table = createTaskTable(pool, processId);
  const waiters = createTaskWaiters(changes, table.statusesOf);
  const parts: VideoParts = { ...given, table, waiters, busy: new Set(), times: defaultVideoTimes };
  const worker = createVideoWorker(parts);
  return {
    parts,
    async taskBody(accountId, taskId) {
      const task = await table.find(accountId, taskId);
      return task ? viewOf(task, given.results) : null;
    },
    start: () => worker.start(),
    drain: () => waiters.stop(),
    async close() {
      await worker.stop(STOP_MS);
      waiters.close();
      await pool.end();
    },
  };
}
