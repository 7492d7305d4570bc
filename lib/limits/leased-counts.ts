/**
 * What the workers of one machine and their primary process say to each other about limits. The
 * primary counts each window exactly. To save messages it also lends a worker requests that it may
 * admit by itself; what is lent counts as used until the worker returns it.
 */

import type { Window } from "./windows";

/** What a worker did with one window since its last report. */
export interface Report {
  readonly name: string;
  /** When lent requests were admitted, in milliseconds of the clock that all processes share. */
  readonly usedAt: readonly number[];
  /** Lent requests that will not be used. */
  readonly returned: number;
  /** Counted requests that were not sent after all. */
  readonly undone: number;
}

export interface Ask extends Window {
  /** How many requests wait for an answer. */
  readonly waiting: number;
}

export interface Grant {
  readonly name: string;
  /** How many of the waiting requests are admitted; they are counted. */
  readonly admitted: number;
  /** How many more the worker may admit by itself. */
  readonly lent: number;
  /** Requests in the window, with those that are lent to any worker. */
  readonly used: number;
  /** Milliseconds until the oldest request leaves the window. */
  readonly oldestLeavesMs: number;
  /** When not all were admitted: milliseconds until another one may be. */
  readonly waitMs: number;
}

const originMs = Number(process.hrtime.bigint() / 1_000_000n) - Math.floor(performance.now());

/** Whole milliseconds of a monotonic clock that is the same in all processes of the machine. */
export const sharedClock = (): number => originMs + Math.floor(performance.now());
