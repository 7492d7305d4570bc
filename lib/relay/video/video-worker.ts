/**
 * The worker that advances every open task, whether or not anyone polls it. Any number of processes
 * may run one.
 */

import { pause } from "../../timing/pause";
import { startWorker, type WakeableWorker } from "../../timing/worker";
import type { Delay } from "../order/task-leases";
import type { AnyTaskRow } from "../order/task-row";
import { FIRST_POLL_SECONDS } from "./submit-task";
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
  /** The pause while no task is due, unless one is said to be due earlier. */
  readonly idleMs: number;
}

const defaultBounds: WorkerBounds = { parallelMax: 600, claimMax: 200, idleMs: 3000 };
/** Between two looks for due tasks, however many are open. */
const LOOK_MS = 250;
const RENEW_MS = 10_000;
const FAILURE_PAUSE_MS = 1000;
const BACKOFF_SECONDS_MAX = 60;

/** How long upstreams asked not to be polled, by channel and credential. */
function createQuiet() {
  const until = new Map<string, number>();
  const keyOf = ({ channelId, channelCredential }: AnyTaskRow) =>
    `${channelId}/${channelCredential ?? ""}`;
  return {
    note(task: AnyTaskRow, seconds: number): void {
      const bounded = Math.min(seconds, BACKOFF_SECONDS_MAX);
      until.set(keyOf(task), performance.now() + bounded * 1000);
    },
    /** Seconds; 0 for none. */
    of(task: AnyTaskRow): number {
      const left = (until.get(keyOf(task)) ?? 0) - performance.now();
      if (left <= 0) until.delete(keyOf(task));
      return Math.max(0, left / 1000);
    },
  };
}

/** Takes a task one step; returns how many polls in a row have failed. */
async function failuresAfter(
  deps: VideoDeps,
  task: AnyTaskRow,
  quiet: ReturnType<typeof createQuiet>,
): Promise<number> {
  try {
    const advance = await advanceTask(deps, task);
    if (typeof advance === "string") return advance === "failed" ? task.pollFailures + 1 : 0;
    quiet.note(task, advance.waitSeconds);
    return task.pollFailures + 1;
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
    note(id: string, failures: number, secondsMin: number): void {
      const longer = Math.min(BACKOFF_SECONDS_MAX, pollSeconds * 2 ** Math.min(failures, 10));
      const seconds = failures === 0 ? pollSeconds : longer * (0.85 + 0.3 * Math.random());
      delays.push({ id, failures, seconds: Math.max(secondsMin, seconds) });
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
  const { table, busy, log, times, changes } = deps;
  const running = new Set<Promise<void>>();
  const delays = createDelays(table, times.pollSeconds);
  const quiet = createQuiet();
  const firstPollMs = Math.min(FIRST_POLL_SECONDS, times.pollSeconds) * 1000;
  let rounds: WakeableWorker | null = null;
  let unsubscribe = () => {};
  let renewedAt = performance.now();
  let turnedAt: number | null = null;

  async function advance(task: AnyTaskRow): Promise<void> {
    const isQuiet = quiet.of(task) > 0;
    const failures = isQuiet ? task.pollFailures : await failuresAfter(deps, task, quiet);
    if (isQuiet || failures !== task.pollFailures) {
      delays.note(task.id, failures, quiet.of(task));
      rounds?.wake(LOOK_MS);
    }
    busy.delete(task.id);
  }

  /** When the next task is due; tasks that become due earlier are told by the database. */
  async function restMs(): Promise<number> {
    const dueMs = 1000 * (await table.secondsUntilDue());
    return Math.min(bounds.idleMs, Math.max(LOOK_MS, dueMs));
  }

  async function turn(): Promise<number> {
    turnedAt = performance.now();
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
    if (room <= 0) return Math.min(bounds.idleMs, LOOK_MS);
    return tasks.length < room ? restMs() : 0;
  }

  return {
    start() {
      if (rounds !== null) return;
      rounds = startWorker({
        turn,
        afterFailureMs: FAILURE_PAUSE_MS,
        onProblem: (err) => log.error({ err }, "the video worker cannot reach its tasks"),
      });
      unsubscribe = changes.subscribe("video_task", (id) => {
        if (id !== null) rounds?.wake(firstPollMs);
      });
    },
    silentMs: () => (turnedAt === null ? 0 : performance.now() - turnedAt),
    async stop(patienceMs) {
      unsubscribe();
      await rounds?.close();
      await Promise.race([Promise.allSettled([...running]), pause(patienceMs)]);
      await delays.write().catch(() => {});
      await table.leave([...busy]).catch(() => {});
    },
  };
}
