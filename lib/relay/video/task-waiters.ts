/**
 * Waits for tasks to end: a notification of the database wakes the waiters, and a query every
 * second backs it up.
 */

import { isTaskOpen } from "../../contract/states";
import type { Changes } from "../../db/changes";
import type { TaskTable } from "./video-table";

export interface TaskWaiters {
  /** True when the task has ended; false after `waitMs`, or when this process is about to stop. */
  wait(id: string, waitMs: number): Promise<boolean>;
  /** Ends all waits, and every wait that starts later. */
  stop(): void;
  close(): void;
}

const LOOK_MS = 1000;
/**
 * A task with waiters is polled at least this often, whatever failures its polls had: half of the
 * promised interval.
 */
const HURRY_MS = 5000;

export function createTaskWaiters(
  changes: Changes,
  { statusesOf, hurry }: Pick<TaskTable, "statusesOf" | "hurry">,
): TaskWaiters {
  const waiting = new Map<string, Set<(hasEnded: boolean) => void>>();
  let isStopped = false;
  let isLooking = false;
  let hurriedAt = 0;

  const release = (id: string, hasEnded: boolean) => {
    for (const resolve of waiting.get(id) ?? []) resolve(hasEnded);
  };

  async function look(ids: readonly string[]): Promise<void> {
    for (const { id, status } of await statusesOf(ids)) if (!isTaskOpen(status)) release(id, true);
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    const ids = [...waiting.keys()];
    await look(ids).catch(() => {});
    if (performance.now() - hurriedAt > HURRY_MS) {
      hurriedAt = performance.now();
      // Any process may do the polling.
      await hurry(ids, HURRY_MS / 1000).catch(() => {});
    }
    isLooking = false;
  }

  const end = changes.subscribe("video_task", (id) => {
    if (id === null) void lookAtAll();
    else if (waiting.has(id)) void look([id]).catch(() => {});
  });
  const timer = setInterval(() => void lookAtAll(), LOOK_MS);
  timer.unref();

  return {
    wait(id, waitMs) {
      if (isStopped || waitMs <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const own = waiting.get(id) ?? new Set();
        waiting.set(id, own);
        const leave = (hasEnded: boolean) => {
          clearTimeout(timeout);
          own.delete(leave);
          if (own.size === 0) waiting.delete(id);
          resolve(hasEnded);
        };
        const timeout = setTimeout(() => leave(false), waitMs);
        own.add(leave);
        void look([id]).catch(() => {});
      });
    },
    stop() {
      isStopped = true;
      for (const id of [...waiting.keys()]) release(id, false);
    },
    close() {
      clearInterval(timer);
      end();
    },
  };
}
