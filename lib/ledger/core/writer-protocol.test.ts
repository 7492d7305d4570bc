/**
 * Every message between the ledger and the database is lost, late or doubled once, for every verb.
 * The caller never learns what is not so, nothing is lost, and nothing is done twice.
 */
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { creditOf, type Scene, verbs } from "@/testing/ledger/ledger-verbs";
import { watchFor } from "@/testing/ledger/message-faults";
import { casesOf, expectOnce } from "@/testing/ledger/protocol-case";
import {
  holdOf,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";

let scene: Scene;
/** Ends what a fault still does. */
let heal = async () => {};

const { url, client, ledger: direct } = await opened(openLedgerDatabase());
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

test.each(casesOf(verbs, extent(5, 1)))(
  "%s is done once, or its caller knows of no answer",
  async (_, { verb, inject }) => {
    const prepared = await verb.prepare(scene);
    const watch = watchFor(verb, scene);
    heal = inject(watch, scene) ?? heal;
    const isHit = () => watch.hits() > 0;
    await expectOnce(scene, verb, prepared, heal, isHit);
    expect(isHit()).toBe(true);
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
    await expectOnce(scene, verb, prepared, heal, () => hits > 0);
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
