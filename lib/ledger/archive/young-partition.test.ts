/**
 * A plan that was made while a partition was empty: every index of it costs the same then, and the
 * one that begins with the account would be read whole for each id.
 */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { pause } from "../../timing/pause";
import { PLANS_KEPT_MS } from "../core/writer-connection";

const HOLDS = 20;

const url = await createTestDatabase();
const owner = await opened(connect(url));

const scansByAccount = async () => {
  const { rows } = await owner.query<{ n: number }>(
    `select coalesce(sum(idx_scan), 0)::int as n from pg_stat_user_indexes
      where relname like 'request%' and indexrelname like '%account'`,
  );
  return rows[0]?.n ?? Number.NaN;
};

test("requests are looked up by their ids, also where the partition was empty at first", async () => {
  const ledger = await openTestLedger(url);
  const account = await seedAccount(owner, ledger, 1_000_000n);
  const holdAndRelease = async () => {
    const hold = holdOf(account, 1n);
    await ledger.openHold(hold);
    await ledger.release(releaseOf(hold));
  };
  await holdAndRelease();
  await pause(PLANS_KEPT_MS + 100);
  for (let n = 0; n < HOLDS; n++) await holdAndRelease();
  // A connection says what it read when it ends, at the latest.
  await ledger.close(1000);
  await pause(200);
  expect(await scansByAccount()).toBeLessThanOrEqual(1);
});
