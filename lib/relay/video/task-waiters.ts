/**
 * Waits for tasks to end: a notification of the database wakes the waiters, and a query every
 * second backs it up. A task that somebody waits for, or asks about, is polled without long pauses.
 */

import { isTaskOpen } from "../../contract/states";
import type { Changes } from "../../db/changes";
import type { TaskTable } from "../order/task-table";

export interface TaskWaiters {
  /** True when the task has ended; false after `waitMs`, or when this process is about to stop. */
  wait(id: string, waitMs: number): Promise<boolean>;
  /** Resolves when the task's state may have changed, and after `waitMs` at the latest. */
  changed(id: string, waitMs: number): Promise<void>;
  /** Somebody asks about an open task, and will ask again. */
  asked(id: string): void;
  /** Ends all waits, and every wait that starts later. */
  stop(): void;
  close(): void;
}

const LOOK_MS = 1000;
/**
 * A task that is waited for or asked about is due within this time, whatever failures its polls had.
 * The time is looked at as often, so two polls are less than 10 s apart.
 */
const HURRY_MS = 4000;
/** Whoever asked about a task within this time is expected to ask again. */
const ASKED_MS = 60_000;
/** Beyond it the task that was asked about longest ago is forgotten. */
const ASKED_MAX = 10_000;

/** The tasks that somebody asked about, for a while. */
function createAsked() {
  /** Until when each task counts as asked about, the earliest first. */
  const asked = new Map<string, number>();
  return {
    note(id: string): void {
      asked.delete(id);
      const oldest = asked.size < ASKED_MAX ? undefined : asked.keys().next().value;
      if (oldest !== undefined) asked.delete(oldest);
      asked.set(id, performance.now() + ASKED_MS);
    },
    at(now: number): readonly string[] {
      for (const [id, until] of asked) {
        if (until > now) break;
        asked.delete(id);
      }
      return [...asked.keys()];
    },
  };
}

/** Those who want to know of each change of a task. */
function createWatching() {
  const watching = new Map<string, Set<() => void>>();
  return {
    next: (id: string, waitMs: number): Promise<void> =>
      new Promise((resolve) => {
        const own = watching.get(id) ?? new Set();
        watching.set(id, own);
        const leave = () => {
          clearTimeout(timer);
          own.delete(leave);
          if (own.size === 0) watching.delete(id);
          resolve();
        };
        const timer = setTimeout(leave, waitMs);
        own.add(leave);
      }),
    /** Null: of every task. */
    tell(id: string | null): void {
      for (const each of id === null ? [...watching.keys()] : [id])
        for (const leave of [...(watching.get(each) ?? [])]) leave();
    },
  };
}

type Waiting = Map<string, Set<(hasEnded: boolean) => void>>;

/** True when it is released with true; false after `waitMs`. */
const enter = (waiting: Waiting, id: string, waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
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
  });

export function createTaskWaiters(
  changes: Changes,
  { statusesOf, hurry }: Pick<TaskTable, "statusesOf" | "hurry">,
  hurryMs: number = HURRY_MS,
): TaskWaiters {
  const waiting: Waiting = new Map();
  const watching = createWatching();
  const askedTasks = createAsked();
  let isStopped = false;
  let isLooking = false;
  let hurriedAt = 0;

  const release = (id: string, hasEnded: boolean) => {
    for (const resolve of waiting.get(id) ?? []) resolve(hasEnded);
  };

  async function look(ids: readonly string[]): Promise<void> {
    for (const { id, status } of await statusesOf(ids)) if (!isTaskOpen(status)) release(id, true);
  }

  /** Any process may do the polling. */
  async function hurryAll(): Promise<void> {
    const now = performance.now();
    if (now - hurriedAt < hurryMs) return;
    hurriedAt = now;
    const ids = [...new Set([...waiting.keys(), ...askedTasks.at(now)])];
    if (ids.length > 0) await hurry(ids, hurryMs / 1000).catch(() => {});
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    if (waiting.size > 0) await look([...waiting.keys()]).catch(() => {});
    await hurryAll();
    isLooking = false;
  }

  const end = changes.subscribe("video_task", (id) => {
    watching.tell(id);
    if (id === null) void lookAtAll();
    else if (waiting.has(id)) void look([id]).catch(() => {});
  });
  const timer = setInterval(() => void lookAtAll(), Math.min(LOOK_MS, hurryMs)).unref();

  return {
    wait(id, waitMs) {
      if (isStopped || waitMs <= 0) return Promise.resolve(false);
      const waits = enter(waiting, id, waitMs);
      void look([id]).catch(() => {});
      return waits;
    },
    changed: (id, waitMs) => (isStopped ? Promise.resolve() : watching.next(id, waitMs)),
    asked: askedTasks.note,
    stop() {
      isStopped = true;
      watching.tell(null);
      for (const id of [...waiting.keys()]) release(id, false);
    },
    close() {
      clearInterval(timer);
      end();
    },
  };
}
