import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { createTestDatabase } from "@/testing/db/test-database";
import { connectDatabase } from "./client";
import { applyMigrations } from "./migrate";

test("migrations are applied once, and Prisma can read the tables they created", async () => {
  const url = await createTestDatabase();
  expect(await applyMigrations(url, join(import.meta.dirname, "../../prisma/migrations"))).toEqual(
    [],
  );
  const database = connectDatabase(url, 1);
  await database.account.create({ data: { id: "acct_test" } });
  expect(await database.account.count()).toBe(1);
  await database.$disconnect();
});

test("the migration that drops the operations' idempotency key keeps rows, rights and holds", async () => {
  const name = "20261122000600_operation_idempotency_key";
  const { url, migrate } = await databaseBefore(name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const definers = async () =>
    (
      await client.query(
        "select proname, prosecdef, proconfig from pg_proc where proname like 'ledger\\_apply%' order by 1",
      )
    ).rows;
  const before = await definers();
  const hold = async (last: number, amount: number, least: number) => {
    const id = `00000000-0000-7000-8000-00000000000${last}`;
    const model = { family: "text", model: "RelayV1", price: 1, ppm: 1_000_000 };
    const terms = { quote: amount, amount, least, sha: "00".repeat(32), idem: null, seconds: 60 };
    const holds = [
      { i: 0, id, account: "acct_old", source: "api", request: "req_a", ...model, ...terms },
    ];
    const sql = "select ledger_apply('node_one', array['acct_old'], null, $1) as answer";
    return (await client.query<{ answer: string }>(sql, [JSON.stringify(holds)])).rows[0]?.answer;
  };
  await client.query("insert into account (id) values ('acct_old')");
  await client.query(
    "insert into price_version (model, output_price, created_by) values ('RelayV1', 1, 'cli')",
  );
  await client.query(
    "select ledger_open_wallet('acct_old'), ledger_credit('acct_old', 'grant', 'w', 1000, 'Welcome', 'system')",
  );
  await client.query(
    "insert into node (id, store_id, lease_until) values ('node_one', 's', now() + interval '1 hour')",
  );
  expect(await hold(1, 600, 600)).toBe(";h600");

  expect(await migrate("one")).toEqual([name]);
  expect(await definers()).toEqual(before);
  // A process of the previous version still sends "idem". The other function cuts the second hold
  // to what is left.
  expect([await hold(2, 100, 100), await hold(3, 900, 100), await hold(4, 1, 1)]).toEqual([
    ";h100",
    ";h300",
    ";i0:1000",
  ]);
  expect((await client.query("select count(*)::int as holds from operation")).rows).toEqual([
    { holds: 3 },
  ]);
  await client.end();
});
