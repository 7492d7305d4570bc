/** The migration to budgets of members: what was held before it, and processes of the release before. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { seedPrice } from "@/testing/ledger/test-ledger";
import { newOperationId } from "../ids";
import { auditLedger } from "../ledger/audit";

let client: pg.Client;
let before: Awaited<ReturnType<typeof databaseBefore>>;
let price = "";

beforeAll(async () => {
  before = await databaseBefore("20261126001000_member_budget");
  client = new pg.Client({ connectionString: before.url });
  await client.connect();
  price = await seedPrice(client);
  await client.query("insert into account (id) values ('acct_a')");
  await client.query(
    `insert into "user" (id, email, account_id) values ('user_a', 'a@example.com', 'acct_a')`,
  );
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ('key_a', 'acct_a', 'a', sha256('a'), 'hint', 'user_a')",
  );
  await client.query("select ledger_open_wallet('acct_a')");
  await client.query("select ledger_credit('acct_a', 'grant', 'seed', 1000000, 'test', 'system')");
  await client.query("insert into node (id, store_id, lease_until) values ('n', 's', 'infinity')");
});
afterAll(() => client.end());

/** As processes before and after the migration send it. */
async function apply(ends: object[] | null, holds: object[] | null): Promise<string> {
  const text = (items: object[] | null) =>
    items === null ? null : JSON.stringify(items.map((item, i) => ({ i, ...item })));
  const { rows } = await client.query<{ answer: string }>(
    "select ledger_apply('n', '{acct_a}', $1, $2) as answer",
    [text(ends), text(holds)],
  );
  return rows[0]?.answer ?? "";
}

const hold = (id: string, key: string | null, amount: number) => ({
  ...{ id, account: "acct_a", key, source: key === null ? "playground" : "api", request: "r" },
  ...{ family: "text", model: "test-model", price, ppm: 1_000_000, quote: amount, amount },
  ...{ least: amount, sha: "00".repeat(32), seconds: 600 },
});
const end = (id: string, amount: number) => ({
  ...{ id, account: "acct_a", settled: true, amount, input: amount, output: 0, usage: {} },
  ...{ stream: false, abandoned: false, duration: 1 },
});
const note = (id: string) =>
  client.query("insert into playground_operation values ($1, 'acct_a', 'user_a')", [id]);
const counted = async () =>
  (await client.query("select spent::int, held::int from member_budget")).rows;

test("what was held before the migration ends after it in no budget, and a process of before reads a refusal as one of a key's budget", async () => {
  const [byKey, played, unnoted, later] = Array.from({ length: 4 }, newOperationId) as [
    string,
    string,
    string,
    string,
  ];
  await note(played);
  expect(
    await apply(null, [hold(byKey, "key_a", 40), hold(played, null, 40), hold(unnoted, null, 40)]),
  ).toBe(";h40,h40,h40");
  await before.migrate("all");
  await client.query("select ledger_set_member_budget('acct_a', 'user_a', 'day', 50, 'UTC')");
  expect(await counted()).toEqual([{ spent: 0, held: 0 }]);
  await note(later);
  expect(await apply([end(byKey, 40)], [hold(later, null, 30)])).toBe("d40;h30:member_day=20");
  expect(await counted()).toEqual([{ spent: 0, held: 30 }]);
  const refused = await apply(
    [end(played, 10), end(unnoted, 10)],
    [hold(newOperationId(), "key_a", 30)],
  );
  expect(refused).toMatch(/^d10,d10;b20:day:\d+:member$/);
  // A process of before takes the first three parts.
  const [, left, period, seconds] = /;b(\d+):(\w+):(\d+)/.exec(refused) ?? [];
  expect([left, period]).toEqual(["20", "day"]);
  expect(Number(seconds) * 1000).toBeGreaterThan(Date.now());
  expect(await apply([end(later, 25)], null)).toBe("d25;");
  expect(await counted()).toEqual([{ spent: 25, held: 0 }]);
  const broken = (await auditLedger(client)).checks.filter(({ ok }) => !ok);
  expect(broken.filter(({ name }) => /member|wallet/.test(name))).toEqual([]);
});
