import { beforeAll, expect, test, vi } from "vitest";
import { charged, openTestLedger, seedPrice } from "@/testing/ledger/test-ledger";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createApiKey, resumeApiKey } from "../commands/api-keys";
import { inDatabaseTransaction } from "../db/transaction";
import { countAll } from "../ledger/usage/usage-counter";
import { signUp } from "./sign-up";
import { pauseSuddenSpenders, restartSpendWatch } from "./spend-watch";

let accountId = "";
let priceVersionId = "";

const site = await opened(startSiteProcess());
const ledger = await opened(openTestLedger(site.databaseUrl));
const client = await site.deps.pool.connect();
beforeAll(async () => {
  priceVersionId = await seedPrice(client);
  client.release();
  const { userId } = await signUp(site.deps, {
    email: "a@example.com",
    password: "correct horse battery",
  });
  accountId = (await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }))
    .accountId;
});

async function newKey(hourlySpendMax: bigint | null): Promise<string> {
  const { key } = await createApiKey(site.deps, "test", { accountId, name: "k", hourlySpendMax });
  await site.deps.database.apiKey.update({
    where: { id: key.id },
    data: { lastUsedAt: new Date() },
  });
  return key.id;
}

const charge = (apiKeyId: string, amount: bigint) =>
  charged(ledger, { accountId, priceVersionId, apiKeyId }, amount);

const pausedOf = async (id: string) =>
  (await site.deps.database.apiKey.findUniqueOrThrow({ where: { id } })).pausedSpend;
/** Moves everything that the watch recorded into the past. */
const passTime = (minutes: number) =>
  site.deps.pool.query("update api_key_spend_mark set at = at - make_interval(mins => $1)", [
    minutes,
  ]);
const watch = () => pauseSuddenSpenders(site.deps.pool);
async function look(): Promise<void> {
  await countAll(site.deps.pool);
  await watch();
}

async function watchFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await passTime(1);
    await look();
  }
}

test("a key that spends more within an hour than its limit is paused once, and the pause is recorded", async () => {
  const [watched, free] = [await newKey(100n), await newKey(null)];
  await charge(watched, 100n);
  await charge(free, 5000n);
  await look();
  expect([await pausedOf(watched), await pausedOf(free)]).toEqual([null, null]);
  await charge(watched, 1n);
  await countAll(site.deps.pool);
  await Promise.all([watch(), watch(), watch()]);
  expect([await pausedOf(watched), await pausedOf(free)]).toEqual([101n, null]);
  await look();
  const actions = await site.deps.database.operatorAction.findMany({
    where: { action: "key.pause", subject: watched },
  });
  expect(actions).toMatchObject([
    { actor: "system", detail: { spent: "101", hourlySpendMax: "100" } },
  ]);
});

test("only spending within the last hour counts", async () => {
  const id = await newKey(100n);
  for (let hour = 0; hour < 4; hour++) {
    await charge(id, 60n);
    await watchFor(62);
    expect(await pausedOf(id)).toBeNull();
  }
  await charge(id, 60n);
  await watchFor(30);
  await charge(id, 60n);
  await look();
  expect(await pausedOf(id)).toBe(120n);
});

test("a resumed key starts at zero, and so does one whose limit was set later", async () => {
  const id = await newKey(100n);
  await charge(id, 200n);
  await look();
  expect(await pausedOf(id)).toBe(200n);
  await resumeApiKey(site.deps, "test", { id, accountId });
  await look();
  expect(await pausedOf(id)).toBeNull();
  await charge(id, 101n);
  await look();
  expect(await pausedOf(id)).toBe(101n);
  const later = await newKey(null);
  await charge(later, 500n);
  await site.deps.database.apiKey.update({ where: { id: later }, data: { hourlySpendMax: 100n } });
  await inDatabaseTransaction(site.deps.database, (transaction) =>
    restartSpendWatch(transaction, later),
  );
  await look();
  expect(await pausedOf(later)).toBeNull();
  await charge(later, 101n);
  await look();
  expect(await pausedOf(later)).toBe(101n);
});

test("a busy key writes one mark a minute, and keeps only one that is older than an hour", async () => {
  const id = await newKey(1_000_000n);
  const marks = () => site.deps.database.apiKeySpendMark.count({ where: { apiKeyId: id } });
  for (let minute = 0; minute < 80; minute++) {
    if (minute % 2 === 0) await charge(id, 1n);
    await look();
    await passTime(1);
  }
  expect(await marks()).toBeLessThanOrEqual(40);
  await passTime(61);
  await look();
  await look();
  expect(await marks()).toBeLessThanOrEqual(2);
});

/**
 * Runs a change of a key up to its record; returns the function that writes the record and commits.
 */
async function changeUpToRecord(id: string): Promise<() => Promise<void>> {
  const client = await site.deps.pool.connect();
  await client.query("begin");
  await client.query("update api_key set name = name where id = $1", [id]);
  await client.query("delete from api_key_spend_mark where api_key_id = $1", [id]);
  return async () => {
    const record =
      "insert into operator_action (actor, action, subject) values ('test', 'key.change', $1)";
    await client.query(record, [id]).finally(() => client.query("commit"));
    client.release();
  };
}

const isOneWaiting = async () => {
  const { rows } = await site.deps.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  expect(rows).toHaveLength(1);
};

test("pausing a key and removing another key's marks at the same time cannot deadlock", async () => {
  const [changed, spender] = [await newKey(1_000_000n), await newKey(100n)];
  for (let hour = 0; hour < 2; hour++) {
    await passTime(70);
    await charge(changed, 1n);
    await look();
  }
  await passTime(70);
  await charge(spender, 200n);
  const record = await changeUpToRecord(changed);
  const looking = look();
  await vi.waitFor(isOneWaiting, 5000);
  await Promise.all([record(), looking]);
  expect(await pausedOf(spender)).toBe(200n);
});

test("pausing many keys while one of them is changed cannot deadlock", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => newKey(100n)));
  for (const id of ids) await charge(id, 200n);
  const record = await changeUpToRecord(ids[2] ?? "");
  const looking = look();
  await vi.waitFor(isOneWaiting, 5000);
  await Promise.all([record(), looking]);
  const paused = await Promise.all(ids.map(pausedOf));
  expect(paused.filter((spent) => spent === 200n).length).toBeGreaterThanOrEqual(4);
});

test("another account cannot resume a key, and gets the answer for a missing one", async () => {
  const id = await newKey(1n);
  for (const which of [id, "key_none"]) {
    await expect(
      resumeApiKey(site.deps, "test", { id: which, accountId: "acct_other" }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  }
});
