import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newOperationId } from "../../crypto/ids";
import { openPool } from "../../db/pool";
import { batchStatement } from "../core/batch-statement";
import { endItem, holdItem, type Item } from "../core/item";
import { holdRow, releaseRow } from "../core/rows";
import { keepPartitions, MONTHS_AHEAD, makePartitions } from "./partitions";

const url = await createTestDatabase();
const owner = await opened(connect(url));
const product = await opened(openPool(url, 2));
const ledger = await opened(openTestLedger(url));
const account = await seedAccount(owner, ledger, 1_000_000n);
// A month may have begun since the database was made.
await makePartitions(product);

const refusal = (sql: string) =>
  owner.query(sql).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const partOf = async (id: string) =>
  (
    await owner.query<{ name: string }>(
      "select tableoid::regclass::text as name from request where id = $1",
      [id],
    )
  ).rows[0]?.name;
/** The middle of the month that is `count` months from now, in UTC. */
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
  expect(await partOf(soon.operationId)).toBe("request_earlier");
  for (let at = 2; at <= MONTHS_AHEAD; at++) {
    const { operationId } = await request(newOperationId(inMonths(at)));
    expect(await partOf(operationId)).toBe(`request_${nameOf(inMonths(at))}`);
  }
});

test("the product's role makes missing partitions once, also when many processes do so together", async () => {
  expect(await makePartitions(product)).toBe(0);
  const made = await Promise.all([1, 2, 3].map(() => makePartitions(product, MONTHS_AHEAD + 2)));
  expect(made.toSorted()).toEqual([0, 0, 2]);
  const { operationId } = await request(newOperationId(inMonths(MONTHS_AHEAD + 2)));
  expect(await partOf(operationId)).toBe(`request_${nameOf(inMonths(MONTHS_AHEAD + 2))}`);
});

test("while a long read uses the table, making partitions gives up soon, keeps nobody waiting, and is done later", async () => {
  const reader = await connect(url);
  await reader.query("begin");
  await reader.query("select count(*) from request");
  const startedAt = performance.now();
  await expect(makePartitions(product, MONTHS_AHEAD + 4)).rejects.toMatchObject({ code: "55P03" });
  await request(newOperationId());
  expect(performance.now() - startedAt).toBeLessThan(3000);
  await reader.query("commit");
  await reader.end();
  expect(await makePartitions(product, MONTHS_AHEAD + 4)).toBe(2);
});

test("a process makes what is missing when it starts", async () => {
  const { rows } = await owner.query<{ name: string }>(
    "select name from ledger_partitions() where starts > ledger_first_id($1)",
    [new Date(inMonths(MONTHS_AHEAD - 1))],
  );
  expect(rows.length).toBeGreaterThan(1);
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
  ["a row of a partition cannot be changed", "update request set model = 'x'"],
  ["or removed", "delete from request"],
  ["a table cannot be emptied", "truncate request"],
  ["nor a partition", "truncate request_earlier"],
  [
    "nothing is inserted around the table's triggers",
    "insert into request_earlier select * from request limit 1",
  ],
  ["nothing is removed around them", "delete from request_earlier"],
  ["or changed", "update request_earlier set amount = 0"],
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
    `insert into request select * from request where id = '${hold.operationId}'`,
  );
  expect(twice).toBe("23505");
});

test("a batch opens the indexes of its requests' partition and of no other", async () => {
  const caller = { resolve() {}, reject() {} };
  const run = async (items: Item[]) => {
    const { name, text, values } = batchStatement(ledger.nodeId, items);
    await owner.query({ name, text, values: [...values, 0] });
  };
  const batch = async (count: number) => {
    const holds = Array.from({ length: count }, () => holdOf(account, 10n));
    await owner.query("begin");
    await run(holds.map((hold) => holdItem(holdRow(hold), caller)));
    await run(holds.map((hold) => endItem(releaseRow(releaseOf(hold)), caller)));
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relkind = 'i' and c.relname like 'request\\_%' order by 1`,
    );
    await owner.query("commit");
    return rows.map(({ name }) => name);
  };
  // As the writer has it, and for tables that are not as small as here. The first ones make the plans.
  await owner.query("set enable_seqscan = off; set plan_cache_mode = force_generic_plan");
  for (const count of [1, 3]) {
    for (let at = 0; at < 3; at++) await batch(count);
    const opened = await batch(count);
    expect(opened).toContain("request_earlier_pkey");
    expect(opened.filter((name) => !name.includes("_earlier_"))).toEqual([]);
  }
  await owner.query("reset enable_seqscan; reset plan_cache_mode");
});

test("a request is looked up by its id in one partition", async () => {
  const { rows } = await owner.query<{ "QUERY PLAN": string }>(
    `explain (costs off) select from request_known where id = '${newOperationId(inMonths(2))}'`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan.match(/(?<= on )request_\w+/g)).toEqual([`request_${nameOf(inMonths(2))}`]);
});
