/**
 * The worker that advances every open task, whether or not anyone polls it. Any number of processes
 * may run one.
 */

import { pause } from "../../pause";
import type { Delay } from "../order/task-leases";
import type { AnyTaskRow } from "../order/task-row";
import type { VideoDeps } from "./video-deps";
import { advanceTask } from "./video-task";

export interface VideoWorker {
  start(): void;
  /** Milliseconds since its last turn; 0 while it is not running. */
  silentMs(): number;
  /**
   * Starts nothing new, waits up to `patienceMs` for work in progress, and leaves the rest to other
   * processes.
   */
  stop(patienceMs: number): Promise<void>;
}

export interface WorkerBounds {
  /** How many tasks are polled at the same time. */
  readonly parallelMax: number;
  readonly claimMax: number;
  readonly idleMs: number;
}

const defaultBounds: WorkerBounds = { parallelMax: 600, claimMax: 200, idleMs: 250 };
const RENEW_MS = 10_000;
const FAILURE_PAUSE_MS = 1000;
const BACKOFF_SECONDS_MAX = 60;

/** Takes a task one step; returns how many polls in a row have failed. */
async function failuresAfter(deps: VideoDeps, task: AnyTaskRow): Promise<number> {
  try {
    return (await advanceTask(deps, task)) === "failed" ? task.pollFailures + 1 : 0;
  } catch (error) {
    deps.log.warn({ taskId: task.id, err: error }, "a task could not be advanced");
    return task.pollFailures + 1;
  }
}

/**
 * Collects the next poll times of tasks whose polls fail, or work again, and writes many at once.
 */
function createDelays(table: VideoDeps["table"], pollSeconds: number) {
  let delays: Delay[] = [];
  return {
    note(id: string, failures: number): void {
      const longer = Math.min(BACKOFF_SECONDS_MAX, pollSeconds * 2 ** Math.min(failures, 10));
      const seconds = failures === 0 ? pollSeconds : longer * (0.85 + 0.3 * Math.random());
      delays.push({ id, failures, seconds });
    },
    async write(): Promise<void> {
      if (delays.length === 0) return;
      const written = delays;
      delays = [];
      await table.delay(written).catch((error: unknown) => {
        delays.push(...written);
        throw error;
      });
    },
  };
}

export function createVideoWorker(
  deps: VideoDeps,
  bounds: WorkerBounds = defaultBounds,
): VideoWorker {
  const { table, busy, log, times } = deps;
  const running = new Set<Promise<void>>();
  const delays = createDelays(table, times.pollSeconds);
  let isStopping = false;
  let loop: Promise<void> | null = null;
  let renewedAt = performance.now();
  let turnedAt: number | null = null;

  async function advance(task: AnyTaskRow): Promise<void> {
    const failures = await failuresAfter(deps, task);
    if (failures !== task.pollFailures) delays.note(task.id, failures);
    busy.delete(task.id);
  }

  async function turn(): Promise<void> {
    await delays.write();
    if (busy.size > 0 && performance.now() - renewedAt > RENEW_MS) {
      renewedAt = performance.now();
      await table.renew([...busy]);
    }
    const room = Math.min(bounds.claimMax, bounds.parallelMax - running.size);
    const tasks = room > 0 ? await table.claim(room, [...busy], times.pollSeconds) : [];
    for (const task of tasks) {
      busy.add(task.id);
      const work = advance(task).finally(() => running.delete(work));
      running.add(work);
    }
    if (tasks.length < room || room <= 0) await pause(bounds.idleMs);
  }

  async function run(): Promise<void> {
    let hasFailed = false;
    while (!isStopping) {
      turnedAt = performance.now();
      try {
        await turn();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.error({ err: error }, "the video worker cannot reach its tasks");
        hasFailed = true;
        await pause(FAILURE_PAUSE_MS);
      }
    }
  }

  return {
    start() {
      loop ??= run();
    },
    silentMs: () => (turnedAt === null ? 0 : performance.now() - turnedAt),
    async stop(patienceMs) {
      isStopping = true;
      await loop;
      await Promise.race([Promise.allSettled([...running]), pause(patienceMs)]);
      await delays.write().catch(() => {});
      await table.leave([...busy]).catch(() => {});
    },
  };
}
