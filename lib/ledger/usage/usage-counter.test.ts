/** Tests that each ended request is counted in the sums exactly once, whatever happens meanwhile. */
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPreparedDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { forgetSums, writeHistory } from "@/testing/ledger/history";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  seedPrice,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { pause } from "../../timing/pause";
import { auditLedger } from "../audit/audit";
import { countAll, countPiece } from "./usage-counter";
import { followUsage } from "./usage-follower";

const plan = { accounts: 5, requests: 2000, days: 9, open: 20, seed: 3 };
const ENDED = plan.requests - plan.open;

async function writeRequests(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  await seedPrice(client);
  await writeHistory(client, plan).finally(() => client.end());
}

let url: string;
let owner: pg.Client;
let pool: pg.Pool;
beforeEach(async () => {
  url = await createPreparedDatabase("countable_requests", writeRequests);
  owner = await connect(url);
  pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on("error", () => {});
});
afterEach(async () => {
  await pool.end();
  await owner.end();
});

const one = async (sql: string) => Number((await pool.query<{ n: string }>(sql)).rows[0]?.n);
const waiting = () => one("select count(*) as n from usage_waiting");
const counted = () => one("select coalesce(sum(settled + released), 0) as n from usage_hour");
const failing = async () => (await auditLedger(owner)).checks.filter(({ ok }) => !ok);

test("random requests: the sums are those of the rows, and every time is in its step", async () => {
  expect([await waiting(), await counted(), await failing()]).toEqual([ENDED, 0, []]);
  await countPiece(pool, 700);
  expect([await waiting(), await counted(), await failing()]).toEqual([ENDED - 700, 700, []]);
  await countAll(pool);
  expect([await waiting(), await counted(), await failing()]).toEqual([0, ENDED, []]);
  for (const [column, time] of [
    ["latency", "r.duration_ms"],
    ["first_token", "case when r.is_stream then r.first_byte_ms end"],
  ]) {
    const { rows } = await owner.query<{ step: number; n: number }>(
      `select (e & 511)::int as step, sum(e >> 9)::int as n from usage_hour, unnest(${column}) e group by 1 order by 1`,
    );
    const times = await owner.query<{ ms: number }>(
      `select ${time} as ms from request r where outcome = 'settled' and ${time} is not null`,
    );
    const expected = new Map<number, number>();
    for (const { ms } of times.rows) {
      const step = Math.floor(16 * Math.log2(Math.max(ms, 1)) + 1e-9);
      expected.set(step, (expected.get(step) ?? 0) + 1);
    }
    expect(new Map(rows.map(({ step, n }) => [step, n]))).toEqual(
      new Map([...expected].sort(([a], [b]) => a - b)),
    );
  }
});

test("four at once, and requests that end meanwhile: each is counted once", async () => {
  const ledger = await openTestLedger(url);
  const account = await seedAccount(owner, ledger, 10_000_000n);
  let isLoaded = true;
  const callers = Array.from({ length: 6 }, async (_, n) => {
    for (let i = 0; isLoaded; i++) {
      const hold = holdOf(account, 50n, { apiKeyId: n % 2 ? account.apiKeyId : null });
      await ledger.openHold(hold);
      await (i % 3 ? ledger.settle(settleOf(hold, 7n)) : ledger.release(releaseOf(hold)));
    }
  });
  const counters = Array.from({ length: 4 }, async () => {
    while ((await waiting()) > 0 && isLoaded) await countPiece(pool, 37);
  });
  await pause(extent(1000, 3000));
  isLoaded = false;
  await Promise.all([...callers, ...counters]);
  await ledger.close();
  expect(await failing()).toEqual([]);
  await countAll(pool);
  expect(await counted()).toBe(await one("select count(*) as n from request"));
  expect(await failing()).toEqual([]);
});

test("a counter that dies at any point has counted nothing, and the next counts all", async () => {
  for (const isLast of [false, true]) {
    const doomed = new pg.Client({ connectionString: url });
    doomed.on("error", () => {});
    await doomed.connect();
    await doomed.query("begin");
    await countPiece(doomed, 100);
    // While it lives, the others leave everything to it.
    expect([await countPiece(pool, 100), await waiting(), await counted()]).toEqual([
      false,
      ENDED,
      0,
    ]);
    const { rows } = await doomed.query<{ pid: number }>("select pg_backend_pid() as pid");
    const commit = isLast ? doomed.query("commit") : Promise.resolve();
    await commit;
    await owner.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await doomed.end().catch(() => {});
    await expect.poll(waiting).toBe(isLast ? ENDED - 100 : ENDED);
  }
  await countAll(pool);
  expect([await counted(), await failing()]).toEqual([ENDED, []]);
});

test("earlier requests are counted in pieces, also after a stop, while others end", async () => {
  await forgetSums(owner);
  const ledger = await openTestLedger(url);
  const account = await seedAccount(owner, ledger, 10_000_000n);
  for (let pieces = 0; pieces < 40; pieces++) {
    // Ids of the past and of the future.
    const time = Date.now() + (pieces % 2 ? 1 : -9) * 86_400_000 * Math.random();
    const operationId = `${Math.floor(time)
      .toString(16)
      .padStart(12, "0")
      .replace(/^(.{8})/, "$1-")}-7abc-8abc-${String(pieces).padStart(12, "0")}`;
    const hold = holdOf(account, 50n, { operationId });
    await ledger.openHold(hold);
    await ledger.settle(settleOf(hold, 7n));
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    await client.query("begin");
    await countPiece(client, 100);
    if (pieces % 3) await client.query("commit");
    await client.end();
    if (pieces % 10 === 0) expect(await failing()).toEqual([]);
  }
  await ledger.close();
  await countAll(pool);
  expect([await counted(), await failing()]).toEqual([ENDED + 40, []]);
  expect(await countPiece(pool)).toBe(false);
});

test("followers of two processes count what ends, and report an outage once", async () => {
  const problems: unknown[] = [];
  const followers = [1, 2].map(() => followUsage(url, (error) => problems.push(error)));
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  expect([await counted(), await failing(), problems]).toEqual([ENDED, [], []]);
  await Promise.all(followers.map((follower) => follower.close()));
  const lost = followUsage(ownerUrlOf(url).replace(/:\d+\//, ":1/"), (e) => problems.push(e));
  await expect.poll(() => problems.length).toBe(1);
  await lost.close();
});

test("what was erased of an account leaves its sums as they are", async () => {
  await countPiece(pool, 250);
  await pool.query("select account_erase('acct_history_1')");
  await countAll(pool);
  expect([await counted(), await failing()]).toEqual([ENDED, []]);
});
