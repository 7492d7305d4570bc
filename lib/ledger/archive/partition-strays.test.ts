import type pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { writeHistory } from "@/testing/ledger/history";
import { openEarlier } from "@/testing/ledger/sealed-history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../audit/audit";
import { auditSealed } from "../audit/audit-sealed";
import { countAll } from "../usage/usage-counter";
import { makePartitions } from "./partitions";

type Opened = Awaited<ReturnType<typeof openEarlier>>;

const end = async (client: pg.Client, { operationId, accountId }: Opened) =>
  (
    await client.query<{ answer: string }>(
      `select ledger_end_one($1, $2, false, 0, null, null, null, 'test', null, null, null, null, null, null, null, null, null) as answer`,
      [operationId, accountId],
    )
  ).rows[0]?.answer;

const rowsOf = async (client: pg.Client, sql: string) => (await client.query(sql)).rows;
const hoursUntil = (time: number) => (time - Date.now()) / 3_600_000;

test("a request of a clock years ahead is kept apart, ends, and moves when its month has a partition", async () => {
  const owner = await connect(ownerUrlOf(await createTestDatabase()));
  // A month may have begun since the database was made.
  await makePartitions(owner);
  await seedPrice(owner);
  await writeHistory(owner, { accounts: 3, requests: 200, days: 40, open: 3, seed: 1 });
  const year = new Date().getUTCFullYear() + 9;
  const ahead = hoursUntil(Date.UTC(year, 4, 5));
  const early = await openEarlier(owner, "acct_history_1", 0, -ahead);
  const late = await openEarlier(owner, "acct_history_2", 0, -ahead - 24);
  const state = () => rowsOf(owner, "select strays from ledger_partition_state()");
  expect(await state()).toEqual([{ strays: 0 }]);
  expect(await end(owner, early)).toBe("d0");
  expect(await state()).toEqual([{ strays: 1 }]);
  await owner.query(
    `select ledger_add_partition('request_${year}_05', ledger_first_id('${year}-05-01'), ledger_first_id('${year}-06-01'))`,
  );
  expect(await state()).toEqual([{ strays: 0 }]);
  expect(await end(owner, early)).toBe("r0");
  expect(await end(owner, late)).toBe("d0");
  expect(await rowsOf(owner, `select count(*)::int as n from request_${year}_05`)).toEqual([
    { n: 2 },
  ]);
  await countAll(owner);
  const checks = [
    ...(await auditLedger(owner)).checks,
    ...(await auditSealed(owner, { isFull: true })).checks,
  ];
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await makePartitions(owner)).toBe(0);
  await owner.end();
});
