/**
 * Tests for every verb what its caller learns and what the database has done when traffic between
 * them is cut, doubled or delayed.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { type Verb, verbs } from "@/testing/ledger/ledger-verbs";
import { requestOf } from "@/testing/ledger/message-faults";
import {
  holdOf,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import type { OpenLedger } from "../ledger";
import { UncertainHolds } from "./uncertain-holds";

let proxy: DatabaseProxy;
let ledger: OpenLedger;
let account: SeededAccount;

/** Behind the proxy. What is sent again is answered within 3 s, also on a busy machine. */
const openWith = (patienceMs = 3000) =>
  openTestLedger(proxy.url, {
    timings: {
      batchPatienceMs: 400,
      holdPatienceMs: patienceMs,
      holdPatienceInFlightMs: patienceMs,
      endPatienceMs: patienceMs,
      heartbeatMs: 300,
    },
  });
/** What waits for an answer that does not come is given up soon. */
async function beHasty(): Promise<void> {
  await ledger.close();
  ledger = await openWith(400);
}

const database = await opened(openLedgerDatabase());
const { url, client, ledger: direct } = database;
beforeEach(async () => {
  proxy = await DatabaseProxy.start(url);
  ledger = await openWith();
  account = await seedAccount(client, direct, 1000n);
  // Creates the prepared statements before any request is doubled.
  const warm = holdOf(account, 1n);
  await ledger.openHold(warm);
  await ledger.release(releaseOf(warm));
  await ledger.balance(account.accountId);
});
afterEach(async () => {
  proxy.thaw();
  await ledger.close(500);
  await proxy.stop();
});

const whole = { available: 1000n, held: 0n };
const held = { available: 900n, held: 100n };
const ends = verbs.filter(({ isHold, by }) => !isHold && by !== "transaction");
const prepared = async (verb: Verb) => {
  const { run } = await verb.prepare({ url, client, direct, proxy, ledger, account });
  return { run: () => run(() => true), isOwn: requestOf(verb, account) };
};

async function expectSound(): Promise<void> {
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
}
const balance = () => direct.balance(account.accountId);

test.each(ends)(
  "$name whose answer is lost is done once, and its caller learns that it is done",
  async (verb) => {
    const { run, isOwn } = await prepared(verb);
    let isSent = false;
    proxy.stallsAt = () => false;
    proxy.cutsRequest = (request) => {
      isSent ||= isOwn(request);
      return false;
    };
    let cuts = 0;
    proxy.cutsAnswer = (answer) => isSent && answer.includes("SELECT 1") && ++cuts === 1;
    const answer = await run();
    expect(cuts).toBeGreaterThan(0);
    expect(answer).toMatchObject({ result: "done" });
    expect(await balance()).toEqual(verb.done);
    await expectSound();
  },
);

test.each(ends)("$name whose statement arrives twice is done once", async (verb) => {
  const { run, isOwn } = await prepared(verb);
  proxy.doublesRequest = isOwn;
  const answer = await run();
  expect(proxy.doubled).toBeGreaterThan(0);
  expect(answer).toMatchObject({ result: "done" });
  expect(await balance()).toEqual(verb.done);
  await expectSound();
});

// A refund waits as long as a credit: for two connections that are not answered.
test.each(extent(ends.slice(0, -1), ends))(
  "$name that reaches the database after its caller was answered is done once, however often it is repeated",
  async (verb) => {
    await beHasty();
    const { run, isOwn } = await prepared(verb);
    proxy.stallsAt = isOwn;
    const told = await run().then(
      () => "done",
      (error) => error.code,
    );
    expect(["done", "database_unavailable"]).toContain(told);
    expect(await balance()).toEqual(verb.undone);
    proxy.stallsAt = () => false;
    proxy.thaw();
    await expect.poll(balance, { timeout: 5000 }).toEqual(verb.done);
    await run().catch(() => {});
    expect(await balance()).toEqual(verb.done);
    await expectSound();
  },
);

test.each(["cut", "doubled", "late"] as const)(
  "a hold whose batch is %s is held once, or released if its caller was refused",
  async (fault) => {
    if (fault === "late") await beHasty();
    const hold = holdOf(account, 100n);
    const isOwn = (request: Buffer) => request.includes(hold.operationId);
    let cuts = 0;
    if (fault === "cut") proxy.cutsRequest = (request) => isOwn(request) && ++cuts === 1;
    else if (fault === "doubled") proxy.doublesRequest = isOwn;
    else proxy.stallsAt = isOwn;
    const told = await ledger.openHold(hold).then(
      ({ result }) => result,
      (error) => error.code,
    );
    expect(told).toBe(fault === "late" ? "database_unavailable" : "held");
    proxy.stallsAt = () => false;
    proxy.thaw();
    const { rows } = await client.query("select 1 from request_known where id = $1", [
      hold.operationId,
    ]);
    if (fault !== "late") expect([rows.length, await balance()]).toEqual([1, held]);
    const isThere = async () =>
      (await client.query("select 1 from request_known where id = $1", [hold.operationId])).rows
        .length;
    await expect.poll(isThere, { timeout: 5000 }).toBe(1);
    if (fault === "late") await expect.poll(balance, { timeout: 5000 }).toEqual(whole);
    await expectSound();
  },
);

test("a refused hold is looked up for as long as an outage may last, at growing intervals, and their number is bounded", () => {
  const uncertain = new UncertainHolds();
  const start = performance.now();
  uncertain.add({ id: "lost", account: "acct" });
  const looks: number[] = [];
  for (let second = 1; second < 7200; second++)
    for (const item of uncertain.releases(start + second * 1000)) {
      looks.push(second);
      item.resolve(null);
    }
  expect(looks.at(-1)).toBeGreaterThan(7100);
  expect(looks.length).toBeLessThan(400);
  for (const item of uncertain.releases(start + 7300_000)) item.resolve(null);
  expect(uncertain.size).toBe(0);
  for (let n = 0; n < 20_000; n++) uncertain.add({ id: `uncertain ${n}`, account: "acct" });
  expect(uncertain.size).toBeLessThanOrEqual(10_000);
});

test("a hold that its process no longer knows is released an hour after its deadline, while the process lives", async () => {
  const hold = holdOf(account, 100n);
  const fresh = await openTestLedger(url);
  await fresh.openHold(hold);
  await client.query(
    `begin; set local session_replication_role = replica;
     update open_request set created_at = created_at - interval '3 hours', deadline = now() - interval '2 hours'
      where id = '${hold.operationId}'; commit`,
  );
  await fresh.sweep();
  await expect.poll(balance, { timeout: 5000 }).toEqual(whole);
  await fresh.close();
});
