/**
 * The clock of a demo while its past is written: that of this process, and that of the demo's
 * database. The product's functions run unchanged and take the time from there. Only `stop` leaves
 * a database that the product works on.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { transact } from "@/lib/db/transaction";

export interface PastClock {
  /** Milliseconds. */
  now(): number;
  set(time: number): Promise<void>;
  /** Returns this process and the database to the real time. */
  stop(): Promise<void>;
}

/** Makes `new Date()` and `Date.now()` of this process tell `now`; returns how to end that. */
function replaceDates(now: () => number): () => void {
  const dates = globalThis.Date;
  globalThis.Date = new Proxy(dates, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = dates;
  };
}

/**
 * Starts the clock at `time`, and makes what plans and writes the requests. `owner` owns the
 * database. Connections of `role` that were open before keep the real time.
 */
export async function startPastClock(
  owner: pg.Client,
  role: string,
  time: number,
  projectFolder: string,
): Promise<PastClock> {
  const [clockSql, requestsSql] = ["clock.sql", "requests.sql"].map((name) =>
    readFileSync(join(projectFolder, "tools/demo", name), "utf8"),
  );
  await transact(owner, async () => {
    await owner.query(`${clockSql}; ${requestsSql}`);
    await owner.query("call past.use('past, ', 'past.now()', $1)", [role]);
  });
  await owner.query("set search_path = public, past, pg_catalog");
  let current = time;
  const restoreDates = replaceDates(() => current);
  const clock: PastClock = {
    now: () => current,
    async set(next) {
      current = next;
      await owner.query("select setval('past.clock', $1)", [Math.round(next) * 1000]);
    },
    async stop() {
      restoreDates();
      await owner.query("set search_path = public");
      await transact(owner, async () => {
        await owner.query("call past.use('', 'now()', $1)", [role]);
        await owner.query("drop schema past cascade");
      });
    },
  };
  await clock.set(time);
  return clock;
}
