/**
 * Every message of points leases between a process and the database is lost, late or doubled once.
 * The process never promises what it has not leased, no point is lost or charged twice, and no
 * lease outlives its process.
 */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { noteSteps, unexplainedSteps } from "@/testing/ledger/lease-steps";
import { leaseOf, leaseVerbs, START } from "@/testing/ledger/lease-verbs";
import { leasable } from "@/testing/ledger/leasing";
import type { Scene, Verb } from "@/testing/ledger/ledger-verbs";
import { later, watchFor } from "@/testing/ledger/message-faults";
import { calm, casesOf, expectOnce, expectSoon } from "@/testing/ledger/protocol-case";
import { connect, openTestLedger, seedAccount, settleOf } from "@/testing/ledger/test-ledger";
import { pause } from "../pause";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

let url: string;
let client: pg.Client;
/** Its transactions are not seen by the cases, which run at the same time. */
let auditor: pg.Client;
let auditing: Promise<unknown> = Promise.resolve();
/** Another process with leases. */
let direct: OpenLedger;

beforeAll(async () => {
  url = await createTestDatabase();
  client = await connect(url);
  auditor = await connect(url);
  await noteSteps(client);
  direct = await openTestLedger(url, { leasesPoints: true });
});
afterAll(async () => {
  await direct?.close();
  await Promise.all([client?.end(), auditor?.end()]);
});

/** In a scene of its own, with a process whose every message passes the proxy. */
async function inScene<T>(work: (scene: Scene) => Promise<T>): Promise<T> {
  const proxy = await DatabaseProxy.start(url);
  const timings = {
    batchPatienceMs: 500,
    holdPatienceMs: 4000,
    holdPatienceInFlightMs: 4000,
    endPatienceMs: 4000,
    heartbeatMs: 300,
  };
  const ledger = await openTestLedger(proxy.url, { timings, leasesPoints: true });
  const account = await seedAccount(client, direct, START);
  try {
    return await work({ url, client, direct, proxy, ledger, account });
  } finally {
    // Where a case failed before it closed it.
    await ledger.close(0).catch(() => {});
    await proxy.stop();
  }
}

const failingChecks = (): Promise<unknown[]> => {
  const next = auditing.then(() => auditLedger(auditor));
  auditing = next.catch(() => {});
  return next.then(({ checks }) => checks.filter(({ ok }) => !ok));
};

const HOLDS = 40;
/** All of them are more than any lease of these cases. */
const HELD = 1000n;
const CHARGE = 3n;

/**
 * The process promises no more than the database says that it has leased, and each promise is then
 * charged once. A doubled answer would be taken for one of these.
 */
async function expectCovered(scene: Scene): Promise<void> {
  const { ledger, account } = scene;
  const holds = Array.from({ length: HOLDS }, () => leasable(account, HELD));
  const told = await Promise.all(holds.map((hold) => ledger.openHold(hold)));
  expect(told.filter(({ result }) => result !== "held")).toEqual([]);
  const { amount, known } = await leaseOf(scene, ledger, holds);
  const isPromised = ({ operationId }: { operationId: string }) => !known.includes(operationId);
  expect(BigInt(holds.filter(isPromised).length) * HELD).toBeLessThanOrEqual(amount);
  const ends = await Promise.all(holds.map((hold) => ledger.settle(settleOf(hold, CHARGE))));
  const isOwn = { result: "done", outcome: "settled", amount: CHARGE };
  expect(ends).toEqual(holds.map(() => isOwn));
}

/** Every point is where it belongs, and nothing was done twice. */
async function expectExact({ account }: Scene, verb: Verb, isOver: boolean): Promise<void> {
  const { rows } = await client.query<Record<"wallet" | "charged" | "leased", string>>(
    `select credits_posted - debits_posted as wallet, leased,
            (select coalesce(sum(amount), 0) from settlement s where s.account_id = w.account_id) as charged
       from wallet w where account_id = $1`,
    [account.accountId],
  );
  const charged = BigInt(HOLDS) * CHARGE + (verb.done.available === START - 30n ? 30n : 0n);
  expect(rows[0]).toMatchObject({ charged: String(charged), wallet: String(START - charged) });
  const available = START - charged;
  expect(await direct.balance(account.accountId)).toEqual({ available, held: 0n });
  expect(await unexplainedSteps(client, account.accountId)).toEqual([]);
  if (!isOver) return;
  expect(rows[0]?.leased).toBe("0");
  expect(await failingChecks()).toEqual([]);
}

const leasesLeft = async ({ ledger }: Scene) =>
  (await client.query("select from points_lease where node_id = $1", [ledger.nodeId])).rowCount;

/** What a process did not give back in time when it closed is given back once its time as a node is over. */
const expectNoLease = (scene: Scene) => expectSoon(() => leasesLeft(scene), 0);

/** It is cut off for so long that somebody gives it up; then it comes back. */
async function giveUp(scene: Scene): Promise<void> {
  const { proxy, ledger } = scene;
  proxy.setDown(true);
  await client.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    ledger.nodeId,
  ]);
  await direct.releaseNode(ledger.nodeId, "cli");
  expect(await leasesLeft(scene)).toBe(0);
  proxy.setDown(false);
}

/**
 * On a busy machine a lease may have ended before its fault is met. A case whose fault is not met
 * shows nothing: it is played in another scene.
 */
async function untilMet(play: (scene: Scene) => Promise<boolean>): Promise<void> {
  for (let scenes = 0; scenes < 5; scenes++) if (await inScene(play)) return;
  throw new Error("the fault was never met");
}

test.concurrent.each(casesOf(leaseVerbs, extent(5, 1)))(
  "%s is right in the book, in the database and with its caller",
  (_, { verb, inject, n }) =>
    untilMet(async (scene) => {
      const prepared = await verb.prepare(scene);
      const watch = watchFor(verb, scene);
      const heal = inject(watch, scene) ?? (async () => {});
      const isHit = () => watch.hits() > 0;
      await expectOnce(scene, verb, prepared, heal, isHit);
      if (!isHit()) return false;
      await prepared.finish?.();
      await expectCovered(scene);
      await expectExact(scene, verb, false);
      if (n % 2 === 0) await giveUp(scene);
      await scene.ledger.close();
      await expectNoLease(scene);
      await expectExact(scene, verb, true);
      return true;
    }),
);

test.concurrent.each(leaseVerbs)(
  "$name whose request arrives once more when its process is gone changes nothing",
  (verb) =>
    untilMet(async (scene) => {
      const prepared = await verb.prepare(scene);
      const { firstRequest, hits } = watchFor(verb, scene);
      const { when, go } = later();
      scene.proxy.delaysRequest = (bytes) => (firstRequest(bytes) ? when : null);
      const isHit = () => hits() > 0;
      await expectOnce(scene, verb, prepared, async () => {}, isHit);
      if (!isHit()) return false;
      calm(scene.proxy);
      await prepared.finish?.();
      await expectCovered(scene);
      await scene.ledger.close();
      go();
      await pause(200);
      await expectNoLease(scene);
      await expectExact(scene, verb, true);
      return true;
    }),
);
