/** A process that is taken for dead while it is only frozen, or while the database is away. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  holdOf,
  newSpoolFolder,
  openLedgerDatabase,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { pause } from "../../timing/pause";
import { createLedger } from "../ledger";
import { openSpool } from "./spool";

const { url, client, ledger: direct } = await opened(openLedgerDatabase());

/** Two processes of one folder; the first can lose the database, and renews its lease once. */
async function openTwo() {
  const proxy = await DatabaseProxy.start(url);
  const spoolFolder = newSpoolFolder();
  const timings = { leaseSeconds: 1, heartbeatMs: 60_000, endPatienceMs: 200 };
  const frozen = await createLedger({ databaseUrl: proxy.url, spoolFolder, timings });
  const other = await createLedger({ databaseUrl: url, spoolFolder });
  const account = await seedAccount(client, direct, 1000n);
  const hold = holdOf(account, 100n);
  await frozen.openHold(hold);
  const expire = () =>
    client.query("update node set lease_until = now() - interval '1 second' where id = $1", [
      frozen.nodeId,
    ]);
  const close = async () => {
    await Promise.all([frozen.close(100), other.close()]);
    await proxy.stop();
  };
  return { proxy, frozen, other, account, hold, expire, close };
}

test("an end that was spooled after another process released the hold is not promised: the database decides", async () => {
  const { proxy, frozen, other, account, hold, expire, close } = await openTwo();
  await expire();
  proxy.setDown(true);
  await other.sweep();
  const settling = frozen.settle(settleOf(hold, 30n));
  expect(await Promise.race([settling, pause(700)])).toBeUndefined();
  proxy.setDown(false);
  expect(await settling).toEqual({ result: "already", outcome: "released", amount: 0n });
  expect(await direct.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  await close();
});

test("an end that was spooled before is promised and charged, however late the process is taken for dead", async () => {
  const { proxy, frozen, other, account, hold, expire, close } = await openTwo();
  proxy.setDown(true);
  expect(await frozen.settle(settleOf(hold, 30n))).toMatchObject({ result: "spooled" });
  await expire();
  await other.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 970n, held: 0n });
  proxy.setDown(false);
  await close();
});

test("a process that closes while the database is away promises nothing that it spooled too late", async () => {
  const { proxy, frozen, other, hold, expire } = await openTwo();
  await expire();
  proxy.setDown(true);
  await other.sweep();
  const settling = frozen.settle(settleOf(hold, 30n));
  const refused = expect(settling).rejects.toMatchObject({ code: "database_unavailable" });
  await pause(600);
  await frozen.close(100);
  await refused;
  await other.close();
  await proxy.stop();
});

test("after an outage that was longer than the leases, each process keeps what it has under way", async () => {
  const spoolFolder = newSpoolFolder();
  // Long enough for a busy machine: the second has one heartbeat and a half to renew its lease.
  const heartbeatMs = 2000;
  const timings = { leaseSeconds: heartbeatMs / 500, heartbeatMs };
  const proxies = [await DatabaseProxy.start(url), await DatabaseProxy.start(url)] as const;
  const [first, second] = await Promise.all(
    proxies.map(({ url: databaseUrl }) => createLedger({ databaseUrl, spoolFolder, timings })),
  );
  const account = await seedAccount(client, direct, 1000n);
  const hold = holdOf(account, 100n);
  await second?.openHold(hold);
  await pause(2.5 * heartbeatMs);
  for (const proxy of proxies) proxy.setDown(true);
  await pause(3 * heartbeatMs);
  // The first has the database back before the second.
  proxies[0].setDown(false);
  await expect.poll(() => first?.isUp, { timeout: 5000 }).toBe(true);
  proxies[1].setDown(false);
  await expect.poll(() => second?.isUp, { timeout: 5000 }).toBe(true);
  await pause(3 * heartbeatMs);
  expect(await second?.settle(settleOf(hold, 30n))).toMatchObject({ result: "done" });
  await Promise.all([first?.close(), second?.close(), ...proxies.map((proxy) => proxy.stop())]);
}, 60_000);

test("a process that stays away is swept by one that has been steady", async () => {
  const spoolFolder = newSpoolFolder();
  const timings = { leaseSeconds: 1, heartbeatMs: 200 };
  const proxy = await DatabaseProxy.start(url);
  const gone = await createLedger({ databaseUrl: proxy.url, spoolFolder, timings });
  const other = await createLedger({ databaseUrl: url, spoolFolder, timings });
  const account = await seedAccount(client, direct, 1000n);
  await gone.openHold(holdOf(account, 100n));
  proxy.setDown(true);
  await expect
    .poll(() => direct.balance(account.accountId), { timeout: 10_000 })
    .toEqual({ available: 1000n, held: 0n });
  proxy.setDown(false);
  await Promise.all([gone.close(), other.close()]);
  await proxy.stop();
});

test("the mark of a process is kept for an hour of its own, and for a day by others", () => {
  const folder = newSpoolFolder();
  const [own, other] = [openSpool(folder, "node_own"), openSpool(folder, "node_other")];
  expect(own.append(["{}"])).toBe(true);
  other.markDead("node_own");
  expect(own.append(["{}"])).toBe(false);
  expect(other.append(["{}"])).toBe(true);
  const ageBy = (ms: number) => {
    const then = (Date.now() - ms) / 1000;
    utimesSync(join(folder, "node_own.dead"), then, then);
  };
  for (const minutes of [50, 70, 23 * 60]) {
    ageBy(minutes * 60_000);
    other.removeMarks();
    if (minutes < 60) own.removeMarks();
    expect(own.append(["{}"])).toBe(false);
  }
  ageBy(70 * 60_000);
  own.removeMarks();
  expect(own.append(["{}"])).toBe(true);
  other.markDead("node_own");
  ageBy(25 * 3_600_000);
  other.removeMarks();
  expect(own.append(["{}"])).toBe(true);
});
