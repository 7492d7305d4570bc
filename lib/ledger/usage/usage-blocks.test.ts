/** Tests that each ended request is in the sums of its four hours exactly once, and that the audit finds damage. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { busyAccount, createBusyDays, endBusy } from "@/testing/ledger/busy-days";
import { connect } from "@/testing/ledger/test-ledger";
import { auditParts } from "../audit/audit-parts";
import { blocksRule } from "../audit/audit-usage";
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

const broken = async () => (await owner.query(blocksRule(null, null).sql)).rows.length;
const count = async (sql: string) => Number((await pool.query(`select (${sql}) as n`)).rows[0]?.n);
const kept = () => count("select coalesce(sum(settled + released), 0) from usage_block");
const head = async () => (await pool.query("select at, audited from usage_block_head")).rows[0];
const rule = "the sums of every four hours are those of their hours";
const auditBlocks = async (client: pg.ClientBase, isAll: boolean) =>
  (await auditParts(client, { isAll })).filter(({ name }) => name === rule);

test("a counter that dies while it makes blocks has made none, and the next makes them", async () => {
  await endBusy(owner, Math.floor((await count("select count(*) from open_request")) * 0.9));
  for (const end of ["die", "commit"]) {
    const doomed = new pg.Client({ connectionString: url });
    doomed.on("error", () => {});
    await doomed.connect();
    await doomed.query("begin");
    while (await count("select count(*) from usage_waiting"))
      await pool.query("select usage_count_waiting(5000)");
    const before = [await kept(), await head()];
    await doomed.query("select usage_make_blocks()");
    // While it lives, the others leave the blocks to it.
    expect((await pool.query("select usage_make_blocks() as more")).rows).toEqual([
      { more: false },
    ]);
    if (end === "commit") await doomed.query("commit");
    await doomed.end();
    if (end === "die") expect([await kept(), await head()]).toEqual(before);
  }
  await countAll(pool);
  expect(await kept()).toBeGreaterThan(1000);
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

test("a block has the requests of its four hours, and only busy ones are kept", async () => {
  const { rows } = await owner.query<{ n: string; hours: string; sums: string }>(
    `select m.at, (select sum(settled + released) from usage_block b where b.at = m.at) as n, count(*) as sums,
            (select count(*) from usage_row r where r.account_id = $1 and r.created_at >= m.at and r.created_at < m.at + interval '4 hours') as hours
       from usage_block_mark m join usage_hour h on h.account_id = m.account_id and h.hour >= m.at and h.hour < m.at + interval '4 hours'
      where m.account_id = $1 group by m.at`,
    [busyAccount],
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { n, hours, sums } of rows) {
    expect(n).toBe(hours);
    expect(Number(sums)).toBeGreaterThanOrEqual(20);
  }
});

test("the audit compares the blocks once, and all of them when everything is read again", async () => {
  const client = await connect(url);
  const ok = async (isAll: boolean) => (await auditBlocks(client, isAll)).map((each) => each.ok);
  expect(await ok(false)).toEqual([true]);
  const { at, audited } = await head();
  expect(audited).toEqual(at);
  expect(await ok(false)).toEqual([]);
  expect(await ok(true)).toEqual([true]);
  await client.end();
}, 60_000);

const first = "ctid = (select min(ctid) from usage_block)";
test.each([
  ["a block's sum that drifts", `update usage_block set amount = amount + 1 where ${first}`],
  [
    "a block's times that drift",
    `update usage_block set latency = latency || 513::bigint where ${first}`,
  ],
  [
    "a time that moved to another step",
    "update usage_block set latency[1] = latency[1] + 1 where ctid = (select min(ctid) from usage_block where cardinality(latency) > 0)",
  ],
  ["a block's row that is gone", `delete from usage_block where ${first}`],
  [
    "blocks without a mark",
    "delete from usage_block_mark where at = (select min(at) from usage_block)",
  ],
  [
    "an hour that was changed after its block was made",
    "update usage_hour set amount = amount + 1 where (account_id, hour) = (select account_id, at from usage_block limit 1)",
  ],
])("the audit finds %s", async (_, damage) => {
  const client = await connect(url);
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  await client.query(damage);
  expect((await client.query(blocksRule(null, null).sql)).rows.length).toBeGreaterThan(0);
  await client.query("rollback");
  await client.end();
});

test("what is broken is reported, and found again by the next audit", async () => {
  const client = await connect(url);
  await client.query("set session_replication_role = replica");
  await client.query("update usage_block_head set audited = '-infinity'");
  const byKey = "account_id, at, api_key_id, model, dialect";
  const add = (amount: number) =>
    client.query(
      `update usage_block set amount = amount + $1 where (${byKey}) = (select ${byKey} from usage_block order by ${byKey} limit 1)`,
      [amount],
    );
  await add(1);
  for (let audit = 0; audit < 2; audit++)
    expect(await auditBlocks(client, false)).toMatchObject([{ name: rule, ok: false }]);
  await add(-1);
  expect(await auditBlocks(client, false)).toMatchObject([{ ok: true }]);
  await client.end();
});

test("a block never shrinks, and neither blocks nor marks are removed or changed", async () => {
  for (const sql of [
    "update usage_block set settled = settled - 1 where settled > 0",
    "delete from usage_block",
    "truncate usage_block",
    "update usage_block_mark set at = at + interval '4 hours'",
    "delete from usage_block_mark",
    "update usage_block_head set at = at - interval '1 day'",
    "insert into usage_block_mark select account_id, at + interval '1 hour' from usage_block_mark limit 1",
  ])
    await expect(owner.query(sql), sql).rejects.toThrow();
});
