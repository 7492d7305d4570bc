import { once } from "node:events";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { opened } from "@/testing/unit/opened";
import { openHistoryReaders } from "./history-readers";
import { openPool } from "./pool";

/** Longer than any wait here: what ends before it ends because of what the test does. */
const LONG_MS = 60_000;
const soon = { timeout: 20_000 };

const url = await createTestDatabase();
const pool = await opened(openPool(url));
const readers = await opened(
  openHistoryReaders(url, pool, {
    connections: 4,
    waitMs: LONG_MS,
    statementMs: LONG_MS,
  }),
);
const gate = await opened(new pg.Client({ connectionString: url }));
await gate.connect();

const closeGate = () => gate.query("select pg_advisory_lock(1)");
const openGate = () => gate.query("select pg_advisory_unlock_all()");
const staying = new AbortController().signal;
const running = (who: string) =>
  `(select count(*)::int from pg_stat_activity where state = 'active' and query like '%-- ${who}') as running`;
/** A query of `who` that waits at the gate, and then says how many of `who` run, with itself. */
const atGate = (who: string) => `select pg_advisory_xact_lock_shared(1), ${running(who)} -- ${who}`;
const runningNow = async (who: string) =>
  (await pool.query<{ running: number }>(`select ${running(who)}`)).rows[0]?.running;
const areRunning = (who: string, count: number) =>
  vi.waitFor(async () => expect(await runningNow(who)).toBe(count), soon);

test("a reader with many reads runs two at once, and another reader does not wait behind them", async () => {
  await closeGate();
  let ended = 0;
  const many = Array.from({ length: 12 }, async () => {
    const { rows } = await readers.of("busy", staying).query<{ running: number }>(atGate("busy"));
    ended += 1;
    return rows[0]?.running;
  });
  await areRunning("busy", 2);
  await readers.of("other", staying).query("select 1");
  expect([ended, await runningNow("busy")]).toEqual([0, 2]);
  await openGate();
  for (const together of await Promise.all(many)) expect([1, 2]).toContain(together);
});

test("a reader who leaves ends the running query, and those that wait do not begin", async () => {
  await closeGate();
  const leaving = new AbortController();
  const reader = readers.of("leaving", leaving.signal);
  const reads = [0, 1, 2].map(() => reader.query(atGate("leaving")));
  const settled = Promise.allSettled(reads);
  await areRunning("leaving", 2);
  leaving.abort();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await runningNow("leaving")).toBe(0);
  await expect(reader.query("select 1")).rejects.toThrow();
  // The connections that were cancelled are not used again, and all places are free.
  const fresh = await Promise.all(
    ["a", "a", "b", "b"].map((who) => readers.of(who, staying).query("select 1 as one")),
  );
  expect(fresh.map(({ rows }) => rows)).toEqual(Array(4).fill([{ one: 1 }]));
  await openGate();
});

test("a query that reaches the database after its cancellation is cancelled again", async () => {
  await closeGate();
  const proxy = await DatabaseProxy.start(url);
  const cancels = openPool(url, 1);
  const late = openHistoryReaders(proxy.url, cancels, { connections: 4, statementMs: LONG_MS });
  const leaving = new AbortController();
  const cancelled = once(cancels, "release");
  const sent = new Promise<void>((resolve) => {
    proxy.delaysRequest = (bytes) => {
      if (!bytes.includes("-- late")) return null;
      resolve();
      return cancelled;
    };
  });
  const read = expect(late.of("late", leaving.signal).query(atGate("late"))).rejects.toThrow(
    "due to user request",
  );
  await sent;
  leaving.abort();
  await read;
  await late.close();
  await cancels.end();
  await proxy.stop();
  await openGate();
});

test("a read that waits too long, or has too many before it, is refused", async () => {
  const hasty = openHistoryReaders(url, pool, {
    connections: 4,
    waitMs: 200,
    statementMs: LONG_MS,
  });
  for (const [place, refused] of [
    [readers, 80 - 2 - 64],
    [hasty, 80 - 2],
  ] as const) {
    await closeGate();
    const errors: unknown[] = [];
    const reads = Array.from({ length: 80 }, () =>
      place
        .of("storm", staying)
        .query(atGate("storm"))
        .catch((error: unknown) => errors.push(error)),
    );
    await vi.waitFor(() => expect(errors).toHaveLength(refused), soon);
    await areRunning("storm", 2);
    await openGate();
    await Promise.all(reads);
    expect(errors).toHaveLength(refused);
    for (const error of errors) expect(error).toMatchObject({ code: "service_busy" });
    expect((await place.of("storm", staying).query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  }
  await hasty.close();
});
