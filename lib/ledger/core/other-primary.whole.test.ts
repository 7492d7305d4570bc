import { join } from "node:path";
import type pg from "pg";
import pgDriver from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type ServerPair, startServerPair } from "@/testing/db/server-pair";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  holdOf,
  newSpoolFolder,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { openChanges } from "../../db/changes";
import { connectDatabase } from "../../db/client";
import { isOutage } from "../../db/database-errors";
import { readRefusals, refusalOf } from "../../db/lineage";
import { openPool } from "../../db/pool";
import { LINEAGE_FOLDER, type OpenLedger } from "../ledger";

let pair: ServerPair;
let address: DatabaseProxy;
let owner: pg.Client;
beforeEach(async () => {
  pair = await startServerPair();
  address = await DatabaseProxy.start(pair.primary.url);
  owner = new pgDriver.Client({ connectionString: pair.primary.ownerUrl });
  owner.on("error", () => {});
  await owner.connect();
}, 120_000);
afterEach(async () => {
  await owner.end().catch(() => {});
  await address.stop();
  await pair.stop();
});

async function openLedger(url = address.url, spoolFolder = newSpoolFolder()): Promise<OpenLedger> {
  const ledger = await openTestLedger(url, { spoolFolder });
  onTestFinished(() => ledger.close(100));
  return ledger;
}

/** The milliseconds until a hold is opened again. */
async function untilHeld(
  ledger: OpenLedger,
  account: Parameters<typeof holdOf>[0],
): Promise<number> {
  const since = performance.now();
  const isHeld = () =>
    ledger.openHold(holdOf(account, 1n)).then(
      ({ result }) => result === "held",
      () => false,
    );
  while (!(await isHeld())) expect(performance.now() - since).toBeLessThan(60_000);
  return performance.now() - since;
}

/** On a quiet machine it takes less than three seconds. */
const BACK_MS = 10_000;

test("a primary that becomes read-only in place is left at once, by the ledger, the pools, Prisma and those who listen", async () => {
  const ledger = await openLedger();
  const account = await seedAccount(owner, ledger, 1000n);
  await pair.caughtUp();
  const pool = openPool(address.url, 2);
  const database = connectDatabase(address.url, 2);
  const changes = await openChanges(address.url, 200);
  onTestFinished(async () => {
    await Promise.all([pool.end(), database.$disconnect(), changes.close()]);
  });
  await pool.query("select 1");
  await database.notice.count();

  await owner.query("alter system set default_transaction_read_only = on");
  await owner.query("select pg_reload_conf()");
  await expect
    .poll(
      () =>
        ledger.openHold(holdOf(account, 1n)).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(false);
  await expect.poll(() => ledger.isUp).toBe(false);
  for (const asked of [() => pool.query("select 1"), () => database.notice.count()]) {
    const error = await asked().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect([isOutage(error), String(error)]).toEqual([true, expect.any(String)]);
  }
  // The address leads to the other server from now on, and nobody cuts the old connections.
  await pair.standby.promote();
  address.targetPort = pair.standby.port;
  expect(await untilHeld(ledger, account)).toBeLessThan(BACK_MS);
  for (const query of [
    async () => (await pool.query("select inet_server_port() as port")).rows,
    async () => [await database.$queryRaw`select inet_server_port() as port`].flat(),
  ])
    await expect.poll(query, { timeout: BACK_MS }).toEqual([{ port: pair.standby.port }]);
}, 120_000);

test("a primary that says nothing any more is left as soon as another one takes writes at the address", async () => {
  const ledger = await openLedger();
  const account = await seedAccount(owner, ledger, 1000n);
  const pool = openPool(address.url, 2);
  onTestFinished(() => pool.end());
  await Promise.all([pool.query("select 1"), pool.query("select 1")]);
  await pair.caughtUp();
  await pair.standby.promote();
  address.moveTo(pair.standby.port);
  expect(await untilHeld(ledger, account)).toBeLessThan(BACK_MS);
}, 120_000);

test("of several hosts the one that takes writes is used, also after it has changed", async () => {
  const [first, second] = [new URL(pair.primary.url), new URL(pair.standby.url)];
  const url = `postgresql://${first.username}:${first.password}@${second.host},${first.host}/relay?target_session_attrs=read-write`;
  const ledger = await openLedger(url);
  const account = await seedAccount(owner, ledger, 1000n);
  await pair.caughtUp();
  const database = connectDatabase(url, 2);
  onTestFinished(() => database.$disconnect());
  const portOf = () => database.$queryRaw`select inet_server_port() as port`;
  expect(await portOf()).toEqual([{ port: pair.primary.port }]);
  await pair.primary.kill();
  await pair.standby.promote();
  expect(await untilHeld(ledger, account)).toBeLessThan(BACK_MS);
  await expect.poll(portOf, { timeout: BACK_MS }).toEqual([{ port: pair.standby.port }]);
}, 120_000);

test("a promoted server that lacks what this process wrote is refused until an operator accepts it, and then what is open there is ended again", async () => {
  const spoolFolder = newSpoolFolder();
  const ledger = await openLedger(address.url, spoolFolder);
  const account = await seedAccount(owner, ledger, 1000n);
  const [ended, gone] = [holdOf(account, 10n), holdOf(account, 20n)];
  await ledger.openHold(ended);
  await pair.caughtUp();
  await pair.standby.kill();
  await ledger.settle(settleOf(ended, 7n));
  await ledger.openHold(gone);
  await pair.primary.kill();
  await pair.standby.start();
  await pair.standby.promote();
  address.targetPort = pair.standby.port;

  await expect
    .poll(() => refusalOf(address.url)?.lost)
    .toEqual([
      expect.objectContaining({ id: gone.operationId, what: "hold", amount: "20" }),
      expect.objectContaining({ id: ended.operationId, what: "charge", amount: "7" }),
    ]);
  expect(ledger.isUp).toBe(false);
  const pool = openPool(address.url, 1);
  onTestFinished(() => pool.end());
  await expect(pool.query("select 1")).rejects.toThrow("relay database accept");
  const [told] = readRefusals(join(spoolFolder, LINEAGE_FOLDER));
  expect(told).toMatchObject({ node: ledger.nodeId, lostCount: 2 });
  // Nor does a process accept it that starts now.
  await expect(openTestLedger(address.url, { spoolFolder })).rejects.toThrow("is refused");

  await pair.standby.asOwner(
    `insert into operator_action (actor, action, subject) values ('cli', 'database.accept', '${told?.subject}')`,
  );
  await untilHeld(ledger, account);
  await expect
    .poll(() =>
      pair.standby.asOwner(`select amount from request where id = '${ended.operationId}'`),
    )
    .toEqual([{ amount: "7" }]);
  expect(readRefusals(join(spoolFolder, LINEAGE_FOLDER))).toEqual([]);
}, 120_000);

test("an earlier primary that takes writes again is refused, also by a process that starts", async () => {
  const spoolFolder = newSpoolFolder();
  const ledger = await openLedger(address.url, spoolFolder);
  const account = await seedAccount(owner, ledger, 1000n);
  await pair.caughtUp();
  await pair.standby.promote();
  address.moveTo(pair.standby.port);
  await untilHeld(ledger, account);
  address.moveTo(pair.primary.port);
  await expect
    .poll(() => refusalOf(address.url)?.reason, { timeout: 10_000 })
    .toContain("an earlier primary");
  await expect.poll(() => ledger.isUp, { timeout: 10_000 }).toBe(false);
  await expect(openTestLedger(address.url, { spoolFolder })).rejects.toThrow("an earlier primary");
  address.moveTo(pair.standby.port);
  await untilHeld(ledger, account);
}, 120_000);

test("with a standby that has everything, a change of the primary needs nobody", async () => {
  const ledger = await openLedger();
  const account = await seedAccount(owner, ledger, 1000n);
  const hold = holdOf(account, 10n);
  await ledger.openHold(hold);
  await pair.caughtUp();
  await pair.primary.kill();
  await pair.standby.promote();
  address.targetPort = pair.standby.port;
  expect(await untilHeld(ledger, account)).toBeLessThan(BACK_MS);
  expect(await ledger.settle(settleOf(hold, 7n))).toMatchObject({ result: "done", amount: 7n });
  expect(refusalOf(address.url)).toBeNull();
}, 120_000);
