/**
 * Every message between the ledger and the database is lost, late or doubled once, for every verb.
 * The caller never learns what is not so, nothing is lost, and nothing is done twice.
 */
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  creditOf,
  type Prepared,
  type Scene,
  type Verb,
  verbs,
} from "@/testing/ledger/ledger-verbs";
import { faults, terminateInTheMiddle, watchFor } from "@/testing/ledger/message-faults";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

let url: string;
let client: pg.Client;
let direct: OpenLedger;
let scene: Scene;
/** Ends what a fault still does. */
let heal = async () => {};

beforeAll(async () => {
  url = await createTestDatabase();
  client = await connect(url);
  direct = await openTestLedger(url);
});
afterAll(async () => {
  await direct?.close();
  await client?.end();
});
beforeEach(async () => {
  const proxy = await DatabaseProxy.start(url);
  const timings = {
    batchPatienceMs: 300,
    holdPatienceMs: 1500,
    holdPatienceInFlightMs: 1500,
    endPatienceMs: 1500,
    heartbeatMs: 300,
  };
  const ledger = await openTestLedger(proxy.url, { timings });
  const account = await seedAccount(client, direct, 1000n);
  // Creates the prepared statements before any request is doubled.
  const warm = holdOf(account, 1n);
  await ledger.openHold(warm);
  await ledger.release(releaseOf(warm));
  await ledger.balance(account.accountId);
  scene = { url, client, direct, proxy, ledger, account };
  heal = async () => {};
});
afterEach(async () => {
  await heal();
  await scene.ledger.close(500);
  await scene.proxy.stop();
});

const balance = () => direct.balance(scene.account.accountId);
const calm = () =>
  Object.assign(scene.proxy, {
    cutsRequest: () => false,
    cutsAnswer: () => false,
    dropsRequest: () => false,
    dropsAnswer: () => false,
    doublesRequest: () => false,
    delaysRequest: () => null,
    delaysAnswer: () => null,
    repeatsAnswer: () => null,
  });

/** What a caller may be told: the truth, or that the outcome is not known. */
async function expectOnce(verb: Verb, { run }: Prepared): Promise<void> {
  const told = await run().then(
    ({ result }) => result,
    (error: { code?: string }) => String(error.code),
  );
  expect(["held", "done", "spooled", "database_unavailable"]).toContain(told);
  calm();
  await heal();
  const isHold = verb.mark === "ledger_open_task" || verb.name === "a hold";
  if (isHold && told === "database_unavailable") {
    await expect.poll(balance, { timeout: 8000 }).toEqual(verb.undone);
    return;
  }
  if (told === "database_unavailable")
    expect([verb.undone, verb.done]).toContainEqual(await balance());
  else await expect.poll(balance, { timeout: 8000 }).toEqual(verb.done);
  if (isHold) return;
  const again = await run().then(({ result }) => result);
  expect(["done", "already"]).toContain(again);
  expect(await balance()).toEqual(verb.done);
}

const cases = verbs.flatMap((verb) =>
  Object.entries(faults).map(
    ([fault, inject]) => [`${verb.name} ${fault}`, { verb, inject }] as const,
  ),
);

test.each(cases)(
  "%s is done once, or its caller knows of no answer",
  async (_, { verb, inject }) => {
    const prepared = await verb.prepare(scene);
    const watch = watchFor(verb, scene);
    heal = (await inject(watch, scene)) ?? heal;
    await expectOnce(verb, prepared);
    expect(watch.hits() > 0 || inject === terminateInTheMiddle).toBe(true);
    // A doubled answer would be taken for this one's.
    const next = holdOf(scene.account, 7n);
    expect(await scene.ledger.openHold(next)).toMatchObject({ result: "held", amount: 7n });
    expect(await scene.ledger.settle(settleOf(next, 3n))).toEqual({
      result: "done",
      outcome: "settled",
      amount: 3n,
    });
    expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
  },
);

const transactions = verbs.filter(({ by }) => by === "transaction");
test.each(transactions)("$name whose commit is lost, or its answer, is done once", async (verb) => {
  for (const what of ["commit", "answer"] as const) {
    scene = { ...scene, account: await seedAccount(client, direct, 1000n) };
    const prepared = await verb.prepare(scene);
    let isOpen = false;
    let hits = 0;
    scene.proxy.cutsRequest = (bytes) => {
      isOpen ||= bytes.includes(verb.mark);
      return what === "commit" && isOpen && bytes.includes("commit") && ++hits === 1;
    };
    scene.proxy.cutsAnswer = (bytes) =>
      what === "answer" && isOpen && bytes.includes("COMMIT") && ++hits === 1;
    await expectOnce(verb, prepared);
    expect(hits).toBeGreaterThan(0);
  }
});

test("a process that freezes between a credit and its commit does not keep the wallet locked", async () => {
  let isOpen = false;
  scene.proxy.stallsAt = (bytes) => {
    isOpen ||= bytes.includes("ledger_credit");
    return isOpen && bytes.includes("commit");
  };
  const record = async (transaction: pg.ClientBase) => void (await transaction.query("select"));
  const crediting = scene.ledger
    .credit(creditOf(scene.account, crypto.randomUUID()), record)
    .catch(() => null);
  await expect.poll(() => isOpen, { timeout: 5000 }).toBe(true);
  const opens = () =>
    direct.openHold(holdOf(scene.account, 1n)).then(
      ({ result }) => result,
      (error: { code?: string }) => error.code,
    );
  await expect.poll(opens, { timeout: 25_000, interval: 500 }).toBe("held");
  scene.proxy.stallsAt = () => false;
  scene.proxy.thaw();
  await crediting;
}, 60_000);
