/** Tests points leases with real processes' ledgers on a real PostgreSQL. */
import { readdirSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy, isBatchAnswer, isBatchRequest } from "@/testing/ledger/database-proxy";
import {
  expectExact,
  leasable,
  leasedOf,
  requests,
  warmUp,
  wholeOf,
} from "@/testing/ledger/leasing";
import {
  type LedgerDatabase,
  newSpoolFolder,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { pause } from "../pause";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";
import type { HoldRequest } from "./verbs";

let database: LedgerDatabase;
let url: string;
let client: pg.Client;
/** It takes no leases. */
let plain: OpenLedger;
let ledgers: [OpenLedger, OpenLedger];
const opened: OpenLedger[] = [];

const openLeasing = async (databaseUrl = url, timings = {}, spoolFolder = newSpoolFolder()) => {
  const ledger = await openTestLedger(databaseUrl, { leasesPoints: true, timings, spoolFolder });
  opened.push(ledger);
  return ledger;
};

beforeAll(async () => {
  database = await openLedgerDatabase();
  ({ url, client, ledger: plain } = database);
  ledgers = [await openLeasing(), await openLeasing()];
});
afterAll(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()));
  await database?.close();
});

/** Of each of two processes. */
const REQUESTS = extent(60, 200);
const failingChecks = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);
const leased = (account: SeededAccount) => leasedOf(client, account);
const whole = (account: SeededAccount) => wholeOf(client, account);
const exact = (account: SeededAccount, done: readonly HoldRequest[]) =>
  expectExact(client, plain, account, done, 1_000_000n);

test("a rich account's requests are written whole, with one row in no queue, and charged exactly", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await Promise.all(
    ledgers.map(async (ledger) => [
      ...(await warmUp(client, ledger, account)),
      ...(await requests(ledger, account, (n) => n === REQUESTS)),
    ]),
  );
  expect(await whole(account)).toBeGreaterThan(1.7 * REQUESTS);
  await exact(account, done.flat());
  expect(await failingChecks()).toEqual([]);
  // What nobody uses goes back.
  await expect.poll(() => leased(account), { timeout: 5000 }).toBe(0);
  expect(await failingChecks()).toEqual([]);
});

test("what people see does not change while points are leased", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, ledgers[0], account);
  expect(await leased(account)).toBeGreaterThan(0);
  await exact(account, done);
});

test("a hold that lasts is written to the database, and its end finds it there", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, ledgers[0], account);
  const long = [leasable(account, 50n), leasable(account, 40n)];
  for (const hold of long) await ledgers[0].openHold(hold);
  expect((await plain.balance(account.accountId)).held).toBe(0n);
  await expect
    .poll(async () => (await plain.balance(account.accountId)).held, { timeout: 5000 })
    .toBe(90n);
  expect(await failingChecks()).toEqual([]);
  const [first, second] = long as [HoldRequest, HoldRequest];
  expect(await ledgers[0].settle(settleOf(first, 9n))).toMatchObject({ result: "done" });
  expect(await ledgers[1].release(releaseOf(second))).toMatchObject({ result: "done" });
  await exact(account, [...done, ...long]);
});

test("a hold that the database refuses to write keeps nothing else waiting", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, ledgers[0], account);
  const bad = { ...leasable(account, 50n), priceVersionId: "999999999" };
  const good = leasable(account, 40n);
  for (const hold of [bad, good]) await ledgers[0].openHold(hold);
  await expect
    .poll(async () => (await plain.balance(account.accountId)).held, { timeout: 5000 })
    .toBe(40n);
  await expect(ledgers[0].settle(settleOf(bad, 5n))).rejects.toMatchObject({
    code: "internal_error",
  });
  await ledgers[0].settle(settleOf(good, 5n));
  await exact(account, [...done, good]);
  await expect.poll(() => leased(account), { timeout: 5000 }).toBe(0);
  expect(await failingChecks()).toEqual([]);
});

test("the last points can be spent to the last one, by whichever process, while others had leased them", async () => {
  const account = await seedAccount(client, plain, 100_000n);
  for (const ledger of ledgers) await warmUp(client, ledger, account);
  expect(await leased(account)).toBeGreaterThan(0);
  const { available } = await plain.balance(account.accountId);
  const all = leasable(account, available);
  expect(await plain.openHold(all)).toEqual({ result: "held", amount: available });
  expect(await leased(account)).toBe(0);
  expect(await ledgers[0].openHold(leasable(account, 1n))).toMatchObject({
    result: "insufficient",
    available: 0n,
  });
  expect(await plain.settle(settleOf(all, available))).toMatchObject({ amount: available });
  expect(await plain.balance(account.accountId)).toEqual({ available: 0n, held: 0n });
});

test("points for exactly k requests admit exactly k of many at once, from two processes that lease", async () => {
  const [k, callers] = extent([900n, 1080], [3000n, 3600]);
  const account = await seedAccount(client, plain, k * 10n + 9n);
  let admitted = 0;
  const caller = async (n: number) => {
    const hold = leasable(account, 10n);
    const ledger = ledgers[n % 2] as OpenLedger;
    const held = await ledger.openHold(hold);
    if (held.result !== "held") return expect(held.result).toBe("insufficient");
    admitted++;
    await ledger.settle(settleOf(hold, 10n));
  };
  for (let n = 0; n < callers; n += 40)
    await Promise.all(Array.from({ length: 40 }, (_, i) => caller(n + i)));
  expect(await whole(account)).toBeGreaterThan(callers / 18);
  expect(admitted).toBe(Number(k));
  expect(await plain.balance(account.accountId)).toEqual({ available: 9n, held: 0n });
  expect(await failingChecks()).toEqual([]);
});

test("points that are leased can be taken away, and a key gets its first limit", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  await warmUp(client, ledgers[0], account);
  const { available } = await plain.balance(account.accountId);
  const taken = {
    kind: "adjust_down",
    reason: "test",
    actor: "cli",
    ref: account.accountId,
  } as const;
  const { accountId } = account;
  expect(await plain.credit({ ...taken, accountId, amount: available - 500_000n })).toMatchObject({
    result: "done",
  });
  const other = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, ledgers[0], other);
  const spent = BigInt(done.filter((_, n) => n % 4 !== 3).length) * 7n;
  expect(await leased(other)).toBeGreaterThan(0);
  await plain.setKeyBudget(other.apiKeyId, other.accountId, spent + 100n);
  const held = [leasable(other, 50n), leasable(other, 50n), leasable(other, 50n)];
  const results = [];
  for (const hold of held) results.push((await ledgers[0].openHold(hold)).result);
  expect(results).toEqual(["held", "held", "key_budget_exhausted"]);
  for (const hold of held.slice(0, 2)) await ledgers[0].release(releaseOf(hold));
  expect(await failingChecks()).toEqual([]);
});

test("a suspended account is promised nothing more", async () => {
  const account = await seedAccount(client, plain, 1_000_000n);
  await warmUp(client, ledgers[0], account);
  await client.query("update account set status = 'suspended' where id = $1", [account.accountId]);
  await expect
    .poll(async () => (await ledgers[0].openHold(leasable(account, 50n))).result, { timeout: 3000 })
    .toBe("account_suspended");
  await expect.poll(() => leased(account), { timeout: 5000 }).toBe(0);
});

test.each(["request", "answer"] as const)(
  "cutting the k-th %s, for every k, loses and doubles nothing, and every lease comes back",
  async (what) => {
    const proxy = await DatabaseProxy.start(url);
    const ledger = await openLeasing(proxy.url, { heartbeatMs: 200 });
    const account = await seedAccount(client, plain, 1_000_000n);
    const done = await warmUp(client, ledger, account);
    for (let k = 1; k <= 8; k++) {
      let count = 0;
      const cuts = (bytes: Buffer) =>
        (what === "request" ? isBatchRequest(bytes) : isBatchAnswer(bytes)) && ++count === k;
      if (what === "request") proxy.cutsRequest = cuts;
      else proxy.cutsAnswer = cuts;
      const all = Array.from({ length: 6 }, () => requests(ledger, account, (n) => n === 6));
      done.push(...(await Promise.all(all)).flat());
    }
    // How many depends on how fast leases come back after a cut.
    expect(await whole(account)).toBeGreaterThan(15);
    await exact(account, done);
    await expect.poll(() => leased(account), { timeout: 8000 }).toBe(0);
    expect(await failingChecks()).toEqual([]);
    await proxy.stop();
  },
);

test("backends terminated at random under load lose and double nothing", async () => {
  const ledger = await openLeasing(url, { heartbeatMs: 300 });
  const account = await seedAccount(client, plain, 1_000_000n);
  let isOver = false;
  let killed = 0;
  let ended = 0;
  const killer = (async () => {
    // On a slow machine some requests pass before the next kill, as a hold waits only for a second.
    for (let until = 0; !isOver; ) {
      await pause(20 + Math.random() * 60);
      if (ended < until) continue;
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'relay-ledger'
           and query like '%ledger_apply%' order by random() limit 2`,
      );
      killed += rowCount ?? 0;
      if (rowCount) until = ended + 40;
    }
  })();
  // A fast machine would be done before enough of them were killed.
  const isEnough = (n: number) => {
    ended++;
    return n >= extent(25, 60) && killed > 3;
  };
  const callers = Array.from({ length: 20 }, () => requests(ledger, account, isEnough));
  const all = await Promise.all(callers).finally(() => {
    isOver = true;
  });
  const done = all.flat();
  await killer;
  expect(await whole(account)).toBeGreaterThan(extent(120, 300));
  await exact(account, done);
  await expect.poll(() => leased(account), { timeout: 8000 }).toBe(0);
  expect(await failingChecks()).toEqual([]);
});

test("batches and changes of leases that arrive twice change nothing", async () => {
  const proxy = await DatabaseProxy.start(url);
  const ledger = await openLeasing(proxy.url);
  const account = await seedAccount(client, plain, 1_000_000n);
  // The first batch of a connection prepares a statement, which cannot be done twice.
  const prepares = (bytes: Buffer) => bytes.includes("ledger_apply($1") || bytes.includes("$4, $5");
  let batches = 0;
  proxy.doublesRequest = (bytes) =>
    isBatchRequest(bytes) && !prepares(bytes) && ++batches % 3 === 0;
  const done: HoldRequest[] = [];
  const isWarm = async () => (await whole(account)) > 60;
  while (!(await isWarm())) {
    done.push(...(await requests(ledger, account, (n) => n === 1)));
    // The second answer of one request comes before the next request.
    await pause(5);
  }
  expect(proxy.doubled).toBeGreaterThan(20);
  await exact(account, done);
  expect(await failingChecks()).toEqual([]);
  await expect.poll(() => leased(account), { timeout: 8000 }).toBe(0);
  proxy.doublesRequest = () => false;
  await proxy.stop();
});

test("ends that the database does not take are on disk, and their charges come from the lease later", async () => {
  const proxy = await DatabaseProxy.start(url);
  const folder = newSpoolFolder();
  const ledger = await openLeasing(proxy.url, { endPatienceMs: 300, heartbeatMs: 200 }, folder);
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, ledger, account);
  const holds = [leasable(account, 50n), leasable(account, 50n)] as const;
  for (const hold of holds) await ledger.openHold(hold);
  proxy.setDown(true);
  expect(await ledger.settle(settleOf(holds[0], 30n))).toMatchObject({ result: "spooled" });
  expect(await ledger.release(releaseOf(holds[1]))).toMatchObject({ result: "spooled" });
  proxy.setDown(false);
  await expect
    .poll(() => readdirSync(folder).filter((name) => name.endsWith(".spool")), { timeout: 8000 })
    .toEqual([]);
  await exact(account, [...done, ...holds]);
  await expect.poll(() => leased(account), { timeout: 8000 }).toBe(0);
  expect(await failingChecks()).toEqual([]);
  await proxy.stop();
});
