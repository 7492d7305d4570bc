import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { openPool } from "../db/pool";
import { newOperationId } from "../ids";
import type { OpenLedger } from "./ledger";
import { keepPartitions, MONTHS_AHEAD, makePartitions } from "./partitions";

let owner: pg.Client;
let product: pg.Pool;
let ledger: OpenLedger;
let account: SeededAccount;
let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
  owner = await connect(url);
  product = openPool(url, 2);
  ledger = await openTestLedger(url);
  account = await seedAccount(owner, ledger, 1_000_000n);
});
afterAll(async () => {
  await ledger.close();
  await Promise.all([owner.end(), product.end()]);
});

const refusal = (sql: string) =>
  owner.query(sql).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const partOf = async (id: string) =>
  (
    await owner.query<{ name: string }>(
      "select tableoid::regclass::text as name from operation where id = $1",
      [id],
    )
  ).rows[0]?.name;
/** The moment in so many months, in UTC. */
const inMonths = (count: number) => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 15);
};
const nameOf = (time: number) => new Date(time).toISOString().slice(0, 7).replace("-", "_");
async function request(id: string) {
  const hold = holdOf(account, 10n, { operationId: id });
  expect((await ledger.openHold(hold)).result).toBe("held");
  await ledger.settle(settleOf(hold, 4n));
  return hold;
}

test("each month ahead has a partition, and a request is in that of its id's time", async () => {
  const soon = await request(newOperationId());
  expect(await partOf(soon.operationId)).toBe("operation_earlier");
  for (let at = 2; at <= MONTHS_AHEAD; at++) {
    const { operationId } = await request(newOperationId(inMonths(at)));
    expect(await partOf(operationId)).toBe(`operation_${nameOf(inMonths(at))}`);
    const { rows } = await owner.query(
      "select tableoid::regclass::text as name, amount from settlement where operation_id = $1",
      [operationId],
    );
    expect(rows).toEqual([{ name: `settlement_${nameOf(inMonths(at))}`, amount: "4" }]);
  }
});

test("the product's role makes missing partitions once, also when many processes do so together", async () => {
  expect(await makePartitions(product)).toBe(0);
  const made = await Promise.all([1, 2, 3].map(() => makePartitions(product, MONTHS_AHEAD + 2)));
  expect(made.toSorted()).toEqual([0, 0, 4]);
  const { operationId } = await request(newOperationId(inMonths(MONTHS_AHEAD + 2)));
  expect(await partOf(operationId)).toBe(`operation_${nameOf(inMonths(MONTHS_AHEAD + 2))}`);
});

test("while a long read uses the tables, making partitions gives up soon, keeps nobody waiting, and is done later", async () => {
  const reader = await connect(url);
  await reader.query("begin");
  await reader.query("select count(*) from operation");
  const startedAt = performance.now();
  await expect(makePartitions(product, MONTHS_AHEAD + 4)).rejects.toMatchObject({ code: "55P03" });
  await request(newOperationId());
  expect(performance.now() - startedAt).toBeLessThan(3000);
  await reader.query("commit");
  await reader.end();
  expect(await makePartitions(product, MONTHS_AHEAD + 4)).toBe(4);
});

test("a process makes what is missing when it starts", async () => {
  const { rows } = await owner.query<{ name: string }>(
    "select name from unnest(array['settlement', 'operation']) t, ledger_partitions(t) where starts > ledger_first_id($1)",
    [new Date(inMonths(MONTHS_AHEAD - 1))],
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { name } of rows) await owner.query(`drop table ${name}`);
  const monthsAhead = async () =>
    (
      await product.query<{ ahead: boolean }>(
        "select until > now() + make_interval(months => $1) as ahead from ledger_partition_state()",
        [MONTHS_AHEAD],
      )
    ).rows[0]?.ahead;
  expect(await monthsAhead()).toBe(false);
  const problems: unknown[] = [];
  const keeping = keepPartitions(url, (error) => problems.push(error));
  const state = async () => ({ isAhead: await monthsAhead(), problems });
  await expect.poll(state, { timeout: 45_000 }).toEqual({ isAhead: true, problems: [] });
  await keeping.close();
}, 60_000);

const refused = "23000";
test.each([
  ["a row of a partition cannot be changed", "update operation set model = 'x'"],
  ["or removed", "delete from settlement"],
  ["a table cannot be emptied", "truncate settlement"],
  ["nor a partition", "truncate settlement_earlier"],
  [
    "nothing is inserted around the table's triggers",
    "insert into operation_earlier select * from operation limit 1",
  ],
  ["nothing is removed around them", "delete from operation_earlier"],
  ["or changed", "update settlement_earlier set amount = 0"],
])("%s: %s", async (_, sql) => {
  expect(await refusal(sql)).toBe(refused);
});

test.each([
  "insert into operator_loss (operation_id, cause, estimate) values (gen_random_uuid(), 'usage_missing', 1)",
  "insert into image_result (id, operation_id, account_id, model, spec, created_at) values ('i', gen_random_uuid(), 'a', 'm', '{}', now())",
])("what refers to a request that is not there is refused: %s", async (sql) => {
  expect(await refusal(sql)).toBe("23503");
});

test("two requests with one id, or two ends of a request, are refused as before", async () => {
  const hold = await request(newOperationId(inMonths(2)));
  const again = holdOf(account, 10n, { operationId: hold.operationId });
  expect(await ledger.openHold(again)).toMatchObject({ result: "held", amount: 10n });
  const twice = await refusal(
    `insert into settlement select * from settlement where operation_id = '${hold.operationId}'`,
  );
  expect(twice).toBe("23505");
});

test("a batch opens the indexes of its requests' partition and of no other", async () => {
  const batch = async () => {
    const id = newOperationId();
    const item = { i: 0, id, account: account.accountId };
    const hold = {
      ...item,
      source: "api",
      request: "req",
      family: "text",
      model: "test-model",
      price: account.priceVersionId,
      ppm: 1_000_000,
      quote: 10,
      amount: 10,
      least: 10,
      sha: "00".repeat(32),
      seconds: 60,
    };
    const end = { ...item, settled: false, amount: 0, reason: "test" };
    const call = "select ledger_apply($1, array[$2], $3, $4) as answer";
    const holds = [ledger.nodeId, account.accountId, null, JSON.stringify([hold])];
    const ends = [ledger.nodeId, account.accountId, JSON.stringify([end]), null];
    await owner.query("begin");
    expect((await owner.query(call, holds)).rows).toEqual([{ answer: ";h10" }]);
    expect((await owner.query(call, ends)).rows).toEqual([{ answer: "d0;" }]);
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relkind = 'i' and c.relname ~ '^(operation|settlement)_' order by 1`,
    );
    await owner.query("commit");
    return rows.map(({ name }) => name);
  };
  // As for tables that are not as small as here. The first ones make the plans.
  await owner.query("set enable_seqscan = off");
  for (let at = 0; at < 3; at++) await batch();
  const opened = await batch();
  await owner.query("reset enable_seqscan");
  expect(opened).toContain("operation_earlier_pkey");
  expect(opened).toContain("settlement_earlier_pkey");
  expect(opened.filter((name) => !name.includes("_earlier_"))).toEqual([]);
});

test("a request is looked up by its id in one partition", async () => {
  const { rows } = await owner.query<{ "QUERY PLAN": string }>(
    `explain (costs off) select from operation o join settlement s on s.operation_id = o.id
      where o.id = '${newOperationId(inMonths(2))}'`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  const tables = plan.match(/ on (operation|settlement)_\w+/g);
  expect(tables?.map((name) => name.slice(4)).sort()).toEqual([
    `operation_${nameOf(inMonths(2))}`,
    `settlement_${nameOf(inMonths(2))}`,
  ]);
});
