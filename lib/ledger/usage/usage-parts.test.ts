/** Tests that each ended request is in the sums of parts of hours exactly once, and that the audit finds damage. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBusyDays, endBusy } from "@/testing/ledger/busy-days";
import { connect } from "@/testing/ledger/test-ledger";
import { auditParts } from "../audit/audit-parts";
import { partsRule } from "../audit/audit-usage";
import { countAll, countPiece } from "./usage-counter";

let url: string;
let owner: pg.Client;
let pool: pg.Pool;
beforeAll(async () => {
  url = await createBusyDays();
  owner = await connect(url);
  pool = new pg.Pool({ connectionString: url, max: 6 });
  pool.on("error", () => {});
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await owner?.end();
});

const ruleSql = partsRule(null, null).sql;
const broken = async () => (await owner.query(ruleSql)).rows.length;
const count = async (sql: string) => Number((await pool.query(`select (${sql}) as n`)).rows[0]?.n);
const kept = () => count("select coalesce(sum(settled + released), 0) from usage_part");
const head = async () => (await pool.query("select at, audited from usage_cut_head")).rows[0];

test("a counter that dies while it makes parts has made none, and the next makes them", async () => {
  await endBusy(owner, 3500);
  for (const end of ["die", "commit"]) {
    const doomed = new pg.Client({ connectionString: url });
    doomed.on("error", () => {});
    await doomed.connect();
    while (await count("select count(*) from usage_waiting")) await countPiece(pool, 5000);
    const before = [await kept(), await head()];
    await doomed.query("begin");
    await doomed.query("select usage_cut_hours()");
    // While it lives, the others leave the parts to it.
    expect((await pool.query("select usage_cut_hours() as more")).rows).toEqual([{ more: false }]);
    if (end === "commit") await doomed.query("commit");
    await doomed.end();
    if (end === "die") expect([await kept(), await head()]).toEqual(before);
  }
  await countAll(pool);
  expect(await kept()).toBeGreaterThan(300);
  expect(await broken()).toBe(0);
}, 60_000);

test("requests that end later are added once, while four count at once", async () => {
  const before = await kept();
  for (let round = 0; round < 4; round++) {
    await endBusy(owner, 300);
    await Promise.all(Array.from({ length: 4 }, () => countPiece(pool, 90)));
    expect(await broken()).toBe(0);
  }
  await countAll(pool);
  expect(await kept()).toBeGreaterThan(before);
  expect(await broken()).toBe(0);
}, 60_000);

test("the audit compares the parts once, and all of them when everything is read again", async () => {
  const client = await connect(url);
  const ok = async (isAll: boolean) =>
    (await auditParts(client, { isAll }))
      .filter(({ name }) => name === partsRule(null, null).name)
      .map((each) => each.ok);
  expect(await ok(false)).toEqual([true]);
  const { at, audited } = await head();
  expect(audited).toEqual(at);
  expect(await ok(false)).toEqual([]);
  expect(await ok(true)).toEqual([true]);
  await client.end();
}, 60_000);

const first = "ctid = (select min(ctid) from usage_part)";
test.each([
  ["a part's sum that drifts", `update usage_part set amount = amount + 1 where ${first}`],
  [
    "a part's times that drift",
    `update usage_part set latency = latency || 512::bigint where ${first}`,
  ],
  ["a part's row that is gone", `delete from usage_part where ${first}`],
  [
    "parts without a mark",
    "delete from usage_cut where (account_id, at) = (select account_id, at from usage_part limit 1)",
  ],
  [
    "a mark without its parts",
    "insert into usage_cut select account_id, date_trunc('hour', created_at) + interval '59 minutes' from request order by 2 limit 1",
  ],
])("the audit finds %s", async (_, damage) => {
  const client = await connect(url);
  await client.query("set session_replication_role = replica");
  await client.query("create table saved_part as table usage_part");
  await client.query("create table saved_cut as table usage_cut");
  await client.query(damage);
  const [check] = await auditParts(client, { isAll: true });
  expect(check).toMatchObject({
    name: "the sums of every part of an hour are those of the requests made in it",
    ok: false,
  });
  await client.query("delete from usage_part; insert into usage_part table saved_part");
  await client.query("delete from usage_cut; insert into usage_cut table saved_cut");
  await client.query("drop table saved_part, saved_cut");
  expect(await broken()).toBe(0);
  await client.end();
});

test("a part never shrinks, and neither parts nor marks are removed or changed", async () => {
  for (const sql of [
    "update usage_part set settled = settled - 1 where settled > 0",
    "delete from usage_part",
    "truncate usage_part",
    "update usage_cut set at = at + interval '1 minute'",
    "delete from usage_cut",
    "update usage_cut_head set at = at - interval '1 day'",
  ])
    await expect(owner.query(sql), sql).rejects.toThrow();
});
