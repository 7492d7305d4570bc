import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import type { OpenLedger } from "../ledger";

/** Two writers with separate connections represent two processes on one database. */

const url = await createTestDatabase();
const client = await opened(connect(url));
const ledgers = [await opened(openTestLedger(url)), await opened(openTestLedger(url))] as const;

const eitherLedger = (n: number): OpenLedger => ledgers[n % 2] as OpenLedger;

test("points for exactly k requests admit exactly k of many at once, from two processes", async () => {
  const [k, callers] = [37, extent(600, 2000)];
  const account = await seedAccount(client, ledgers[0], BigInt(k) * 10n + 9n);
  const results = await Promise.all(
    Array.from({ length: callers }, (_, i) => eitherLedger(i).openHold(holdOf(account, 10n))),
  );
  expect(results.filter(({ result }) => result === "held")).toHaveLength(k);
  expect(results.filter(({ result }) => result === "insufficient")).toHaveLength(callers - k);
  expect(await ledgers[0].balance(account.accountId)).toEqual({
    available: 9n,
    held: BigInt(k) * 10n,
  });
});

test("the same holds for a large balance", async () => {
  const account = await seedAccount(client, ledgers[0], 3n * 10n ** 14n);
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, i) => eitherLedger(i).openHold(holdOf(account, 10n ** 14n))),
  );
  expect(results.filter(({ result }) => result === "held")).toHaveLength(3);
});

test("a key's budget for exactly k requests admits exactly k, while another key of the account continues", async () => {
  const account = await seedAccount(client, ledgers[0], 1_000_000n);
  await ledgers[0].setKeyBudget(account.apiKeyId, account.accountId, 105n);
  const holds = Array.from({ length: 400 }, (_, i) =>
    holdOf(account, 10n, i % 2 ? {} : { apiKeyId: null }),
  );
  const results = await Promise.all(holds.map((hold, i) => eitherLedger(i >> 1).openHold(hold)));
  const ofKey = results.filter((_, i) => i % 2);
  expect(ofKey.filter(({ result }) => result === "held")).toHaveLength(10);
  expect(ofKey.filter(({ result }) => result === "key_budget_exhausted")).toHaveLength(190);
  expect(results.filter((_, i) => i % 2 === 0).every(({ result }) => result === "held")).toBe(true);
});

test("concurrent settles and releases from two processes, thousands of times, end each operation once", async () => {
  const account = await seedAccount(client, ledgers[0], 10n ** 12n);
  let charged = 0n;
  const race = async (n: number) => {
    const hold = holdOf(account, 10n);
    expect(await eitherLedger(n).openHold(hold)).toMatchObject({ result: "held" });
    const [settled, released] = await Promise.all([
      ledgers[0].settle(settleOf(hold, 3n)),
      ledgers[1].release(releaseOf(hold)),
    ]);
    expect([settled.result, released.result].sort()).toEqual(["already", "done"]);
    expect(settled.outcome).toBe(released.outcome);
    expect(settled.amount).toBe(released.amount);
    charged += settled.amount;
  };
  for (let n = 0; n < extent(2000, 10_000); n += 500)
    await Promise.all(Array.from({ length: 500 }, (_, i) => race(n + i)));
  expect(await ledgers[0].balance(account.accountId)).toEqual({
    available: 10n ** 12n - charged,
    held: 0n,
  });
});

test("the wallet is locked while a hold is checked: another lock makes it wait", async () => {
  const account = await seedAccount(client, ledgers[0], 100n);
  const watcher = await connect(url);
  await client.query("begin");
  await client.query("select from wallet where account_id = $1 for update", [account.accountId]);
  const hold = ledgers[0].openHold(holdOf(account, 10n));
  const isBlocked = async () => {
    const { rows } = await watcher.query(
      "select 1 from pg_stat_activity where application_name = 'relay-ledger' and wait_event_type = 'Lock' and datname = current_database()",
    );
    return rows.length > 0;
  };
  await expect.poll(isBlocked, { timeout: 1500, interval: 10 }).toBe(true);
  await client.query("commit");
  expect(await hold).toEqual({ result: "held", amount: 10n });
  await watcher.end();
});

test("after all races the audit is clean", async () => {
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});
