import type pg from "pg";
import { expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { writeHistory } from "@/testing/ledger/history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../ledger/audit";
import { countAll, countPiece } from "../ledger/usage-counter";

const name = "20261123001700_usage_sums";

test("the migration that adds sums counts what ended before, during and after it once", async () => {
  const { url, migrate } = await databaseBefore(name);
  const [owner, during, after] = await Promise.all([1, 2, 3].map(() => connect(url)));
  if (!owner || !during || !after) throw new Error("three connections were opened");
  await seedPrice(owner);
  await writeHistory(owner, { accounts: 3, requests: 1000, days: 40, open: 3, seed: 1 });
  const { rows } = await owner.query<{ id: string; account: string }>(
    "select operation_id as id, account_id as account from open_operation order by 1",
  );
  const end = (client: pg.Client, at: number) =>
    client.query<{ answer: string }>("select ledger_apply('x', array[$1], $2, null) as answer", [
      rows[at]?.account,
      JSON.stringify([{ i: 0, ...rows[at], settled: false, amount: 0, reason: "test" }]),
    ]);
  await end(owner, 0);
  await during.query("begin");
  await end(during, 1);
  const migrated = migrate("all");
  const waits = "select count(*)::int as n from pg_locks where not granted and database = $1::oid";
  const own = (await owner.query("select oid from pg_database where datname = current_database()"))
    .rows;
  const waiting = async () => (await owner.query(waits, [own[0]?.oid])).rows[0]?.n;
  await expect.poll(waiting).toBe(1);
  const ended = end(after, 2);
  await expect.poll(waiting).toBe(2);
  await during.query("commit");
  expect(await migrated).toContain(name);
  expect((await ended).rows).toEqual([{ answer: "d0;" }]);

  const followed = await owner.query(
    "select operation_id as id from settlement where is_followed union all select operation_id from usage_waiting",
  );
  expect(followed.rows).toEqual([{ id: rows[2]?.id }, { id: rows[2]?.id }]);
  const failing = async () => (await auditLedger(owner)).checks.filter(({ ok }) => !ok);
  await countPiece(owner, 100);
  expect(await failing()).toEqual([]);
  await countAll(owner);
  const sums = await owner.query("select sum(settled + released)::int as n from usage_hour");
  expect(sums.rows).toEqual([{ n: 1000 }]);
  expect(await failing()).toEqual([]);
  await Promise.all([owner.end(), during.end(), after.end()]);
});
