/** Wires the video state machine of one process. */
import { openCallbacks } from "../../callbacks/open-callbacks";
import type { ImageTaskView } from "../../contract/image-task";
import type { Secrets } from "../../crypto/secrets";
import type { Changes } from "../../db/changes";
import { openPool } from "../../db/pool";
import type { Advance, TaskDeps } from "../order/task-deps";
import type { ImageTaskRow } from "../order/task-row";
import { createTaskTable } from "../order/task-table";
import { createTaskWaiters } from "./task-waiters";
import { defaultVideoTimes, type ResultStore, type VideoDeps } from "./video-deps";
import { viewOf } from "./video-view";
import { createVideoWorker } from "./video-worker";

/**
 * Shared by API clients' polls and the worker, so that they never make requests of other families
 * wait.
 */
const CONNECTIONS = 6;
const STOP_MS = 5000;

/** How many result files are copied at the same time. */
const COPIES_MAX = 32;

/** Limits the number of copies that run at once; the others wait. */
function inTurn(results: ResultStore): ResultStore {
  let copying = 0;
  const waiting: (() => void)[] = [];
  return {
    assertTakes: results.assertTakes,
    linkOf: results.linkOf,
    link: results.link,
    copyThumbnail: results.copyThumbnail,
    async copyResult(channel, url, accountId) {
      if (copying >= COPIES_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
      else copying++;
      try {
        return await results.copyResult(channel, url, accountId);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else copying--;
      }
    },
  };
}

type GivenVideoDeps = Omit<
  VideoDeps,
  "table" | "waiters" | "changes" | "busy" | "times" | "advanceImage"
>;

/** What the tasks of images need. */
export interface ImageTasks {
  advance(deps: TaskDeps, task: ImageTaskRow): Promise<Advance>;
  /** What a callback tells of the image of an operation. */
  body(operationId: string): Promise<ImageTaskView | null>;
}

export interface OpenVideos {
  readonly deps: VideoDeps;
  /** Starts the worker and the delivery of callbacks. */
  start(): void;
  /** Milliseconds since the worker's last turn. */
  silentMs(): number;
  /** Makes calls that wait for their video answer with the unfinished task. */
  drain(): void;
  /** Stops the worker. Other processes continue the open tasks. */
  close(): Promise<void>;
}

export interface VideoPlace {
  readonly databaseUrl: string;
  /** The name under which this process takes leases of tasks. */
  readonly processId: string;
  readonly changes: Changes;
  readonly secrets: Secrets;
  readonly callbackNetworks: "public" | "any";
}

export function openVideos(
  { databaseUrl, processId, changes, secrets, callbackNetworks }: VideoPlace,
  given: GivenVideoDeps,
  images: ImageTasks,
): OpenVideos {
  const pool = openPool(databaseUrl, CONNECTIONS);
  const table = createTaskTable(pool, processId);
  const waiters = createTaskWaiters(changes, table);
  const deps: VideoDeps = {
    ...given,
    results: inTurn(given.results),
    table,
    waiters,
    changes,
    busy: new Set(),
    times: defaultVideoTimes,
    advanceImage: (task) => images.advance(deps, task),
  };
  const worker = createVideoWorker(deps);
  const callbacks = openCallbacks({
    pool,
    changes,
    secrets,
    networks: callbackNetworks,
    async taskBody(accountId, taskId) {
      const task = await table.find(accountId, taskId);
      if (task?.family === "image") return images.body(task.operationId);
      return task ? viewOf(task, given.results) : null;
    },
    log: (event, detail) => given.log.warn({ event, detail }, "callbacks"),
  });
  return {
    deps,
    start() {
      worker.start();
      callbacks.start();
    },
    drain: () => waiters.stop(),
    silentMs: worker.silentMs,
    async close() {
      await Promise.all([worker.stop(STOP_MS), callbacks.close()]);
      waiters.close();
      await pool.end();
    },
  };
}
