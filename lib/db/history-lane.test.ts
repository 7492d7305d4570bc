import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { pause } from "../pause";
import { type HistoryLane, openHistoryLane } from "./history-lane";
import { openPool } from "./pool";

let pool: pg.Pool;
let lane: HistoryLane;
let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
  pool = openPool(url);
  lane = openHistoryLane(url, pool, { connections: 4, waitMs: 1000 });
});
afterAll(async () => {
  await lane?.close();
  await pool?.end();
});

const staying = new AbortController().signal;
const slow = (label: string, seconds: number) => `select '${label}' as label, pg_sleep(${seconds})`;
const runningNow = async (label: string) => {
  const sql =
    "select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like $1";
  return (await pool.query(sql, [`%'${label}'%`])).rows.length;
};

test("a reader with many reads runs two at once, and another reader does not wait behind them", async () => {
  const order: string[] = [];
  const read = (who: string, label: string) =>
    lane
      .of(who, staying)
      .query(slow(label, 0.1))
      .then(() => order.push(label));
  const many = Array.from({ length: 12 }, (_, index) => read("busy", `busy-${index}`));
  await vi.waitFor(async () => expect(await runningNow("busy-0")).toBe(1));
  let most = 0;
  const counting = setInterval(async () => {
    most = Math.max(
      most,
      (
        await pool.query(
          "select pid from pg_stat_activity where state = 'active' and query like '%busy-%' and pid <> pg_backend_pid()",
        )
      ).rows.length,
    );
  }, 20);
  await read("other", "other");
  await Promise.all(many);
  clearInterval(counting);
  expect(order.indexOf("other")).toBeLessThan(6);
  expect(order.filter((label) => label !== "other")).toHaveLength(12);
  expect(most).toBe(2);
});

test("a reader who leaves ends the running query, and those that wait do not begin", async () => {
  const leaving = new AbortController();
  const reader = lane.of("leaving", leaving.signal);
  const reads = [0, 1, 2].map((index) => reader.query(slow(`left-${index}`, 1.5)));
  const settled = Promise.allSettled(reads);
  await vi.waitFor(async () => {
    expect(await runningNow("left-0")).toBe(1);
    expect(await runningNow("left-1")).toBe(1);
  });
  const startedAt = performance.now();
  leaving.abort();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(performance.now() - startedAt).toBeLessThan(1000);
  for (const label of ["left-0", "left-1", "left-2"]) expect(await runningNow(label)).toBe(0);
  await expect(reader.query("select 1")).rejects.toThrow();
  // The connections that were cancelled are not used again, and all places are free.
  const fresh = await Promise.all(
    ["a", "a", "b", "b"].map((who) => lane.of(who, staying).query("select 1 as one")),
  );
  expect(fresh.map(({ rows }) => rows)).toEqual(Array(4).fill([{ one: 1 }]));
});

test("a query that reaches the database after its cancellation is cancelled again", async () => {
  const proxy = await DatabaseProxy.start(url);
  const late = openHistoryLane(proxy.url, pool, { connections: 4, waitMs: 1000 });
  const leaving = new AbortController();
  proxy.delaysRequest = (bytes) => (bytes.includes("late") ? pause(300) : null);
  const read = expect(late.of("late", leaving.signal).query(slow("late", 20))).rejects.toThrow();
  await pause(100);
  leaving.abort();
  const startedAt = performance.now();
  await read;
  expect(performance.now() - startedAt).toBeLessThan(1800);
  await late.close();
  await proxy.stop();
});

test("a read that waits too long, or has too many before it, is refused", async () => {
  const reads = Array.from({ length: 80 }, (_, index) =>
    lane.of("storm", staying).query(slow(`storm-${index}`, 0.6)),
  );
  const ended = await Promise.allSettled(reads);
  const refused = ended.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(70);
  for (const each of refused) expect(each).toMatchObject({ reason: { code: "service_busy" } });
  expect((await lane.of("storm", staying).query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
