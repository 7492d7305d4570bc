/** Tests that nothing is leased in an account where a member has a budget. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { leasable, leasedOf, requests, warmUp, wholeOf } from "@/testing/ledger/leasing";
import {
  connect,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

let client: pg.Client;
/** It takes no leases. */
let plain: OpenLedger;
let leasing: OpenLedger;
beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  plain = await openTestLedger(url);
  leasing = await openTestLedger(url, { leasesPoints: true });
});
afterAll(async () => {
  await Promise.all([plain?.close(), leasing?.close()]);
  await client?.end();
});

/** The account with a key that its owner made. */
async function withOwner(account: SeededAccount): Promise<SeededAccount & { owner: string }> {
  const owner = `user_${account.accountId}`;
  const apiKeyId = `key_${account.accountId}`;
  await client.query(`insert into "user" (id, email, account_id) values ($1, $2, $3)`, [
    owner,
    `${owner}@example.com`,
    account.accountId,
  ]);
  await client.query(
    "insert into account_member (account_id, user_id, role) values ($1, $2, 'owner') on conflict do nothing",
    [account.accountId, owner],
  );
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'test', sha256($3), 'hint', $4)",
    [apiKeyId, account.accountId, Buffer.from(apiKeyId), owner],
  );
  return { ...account, apiKeyId, owner };
}

test("a member's budget waits for what is leased, and nothing is leased beside it", async () => {
  const account = await withOwner(await seedAccount(client, plain, 1_000_000n));
  const { accountId, owner } = account;
  await warmUp(client, leasing, account);
  expect(await leasedOf(client, account)).toBeGreaterThan(0);
  const set = (amount: number) =>
    client.query("select ledger_set_member_budget($1, $2, 'day', $3, 'UTC')", [
      accountId,
      owner,
      amount,
    ]);
  await expect(set(100)).rejects.toThrow("points of the account are leased");
  await plain.leasesBack(accountId);
  await set(100);
  await client.query(
    "update wallet set leases_from = null, version = version + 1 where account_id = $1",
    [accountId],
  );
  const before = await wholeOf(client, account);
  const held = [leasable(account, 50n), leasable(account, 50n), leasable(account, 50n)];
  const results = [];
  for (const hold of held) results.push((await leasing.openHold(hold)).result);
  expect(results).toEqual(["held", "held", "member_budget_exhausted"]);
  for (const hold of held.slice(0, 2)) await leasing.release(releaseOf(hold));

  await set(10_000);
  const done = await requests(leasing, account, (count) => count >= 80);
  expect([await leasedOf(client, account), await wholeOf(client, account)]).toEqual([0, before]);
  const { rows } = await client.query("select spent from member_budget where account_id = $1", [
    accountId,
  ]);
  expect(rows).toEqual([{ spent: String(7 * done.filter((_, n) => n % 4 !== 3).length) }]);
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});
