/**
 * Tests that after a process ended, cleanly or not, another one settles or releases its open
 * operations.
 */
import { expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  holdOf,
  newSpoolFolder,
  openLedgerDatabase,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { createLedger, type OpenLedger } from "../ledger";

const { url, client, ledger: direct } = await opened(openLedgerDatabase());

test("closing spools what the database did not take, and the next process with the folder charges it", async () => {
  const proxy = await DatabaseProxy.start(url);
  const spoolFolder = newSpoolFolder();
  const ledger = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder,
    timings: { leaseSeconds: 1 },
  });
  const account = await seedAccount(client, direct, 1000n);
  const [charged, forgotten] = [holdOf(account, 100n), holdOf(account, 100n)];
  await Promise.all([ledger.openHold(charged), ledger.openHold(forgotten)]);
  proxy.setDown(true);
  const settling = ledger.settle(settleOf(charged, 30n));
  await ledger.close(100);
  expect(await settling).toMatchObject({ result: "spooled" });
  await proxy.stop();
  const next = await createLedger({ databaseUrl: url, spoolFolder });
  await expect
    .poll(() => next.sweep().then(() => direct.balance(account.accountId)), { timeout: 5000 })
    .toEqual({ available: 970n, held: 0n });
  const { rows } = await client.query(
    "select cause, estimate from operator_loss where operation_id = $1",
    [forgotten.operationId],
  );
  expect(rows).toEqual([{ cause: "crash_unknown", estimate: "100" }]);
  await next.close();
});

const dead = { leaseSeconds: 1, heartbeatMs: 60_000 };
const crash = async (ledger: OpenLedger) => {
  // Lets the lease expire, as after SIGKILL.
  await client.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    ledger.nodeId,
  ]);
};

test("a process with the same folder releases a dead process's holds, with a loss, and never while its lease is valid", async () => {
  const spoolFolder = newSpoolFolder();
  const [first, second] = [
    await createLedger({ databaseUrl: url, spoolFolder }),
    await createLedger({ databaseUrl: url, spoolFolder }),
  ];
  const account = await seedAccount(client, direct, 1000n);
  const hold = holdOf(account, 100n);
  await first.openHold(hold);
  await second.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 900n, held: 100n });
  await crash(first);
  await second.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  expect(await first.settle(settleOf(hold, 5n))).toEqual({
    result: "already",
    outcome: "released",
    amount: 0n,
  });
  await Promise.all([first.close(), second.close()]);
});

test("a process with another folder leaves a dead process's holds alone until an operator gives the node up", async () => {
  const lost = await openTestLedger(url, { timings: dead });
  const account = await seedAccount(client, direct, 1000n);
  await lost.openHold(holdOf(account, 100n));
  await expect(direct.releaseNode(lost.nodeId, "cli")).rejects.toMatchObject({ code: "not_found" });
  await crash(lost);
  await direct.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 900n, held: 100n });
  // A heartbeat that was under way may have renewed the lease once more.
  await expect
    .poll(() => direct.releaseNode(lost.nodeId, "cli").catch(() => null), { timeout: 5000 })
    .toBe(1);
  expect(await direct.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  const { rows } = await client.query(
    "select actor, operations from node_release where node_id = $1",
    [lost.nodeId],
  );
  expect(rows).toEqual([{ actor: "cli", operations: 1 }]);
  await lost.close();
});

test("a process that was only suspended continues: its next hold renews the lease", async () => {
  const suspended = await openTestLedger(url, { timings: dead });
  const account = await seedAccount(client, direct, 1000n);
  await crash(suspended);
  await client.query("delete from node where id = $1", [suspended.nodeId]);
  const hold = holdOf(account, 100n);
  expect(await suspended.openHold(hold)).toEqual({ result: "held", amount: 100n });
  await direct.sweep();
  expect(await suspended.settle(settleOf(hold, 5n))).toMatchObject({ result: "done" });
  await suspended.close();
});

test("a clean close leaves no row behind", async () => {
  const ledger = await openTestLedger(url);
  await ledger.close();
  const { rowCount } = await client.query("select from node where id = $1", [ledger.nodeId]);
  expect(rowCount).toBe(0);
  await expect(
    ledger.openHold(holdOf(await seedAccount(client, direct, 10n), 1n)),
  ).rejects.toMatchObject({ code: "service_draining" });
});

test("a process that is known to be dead is ended at once: what its spool knows is charged, the rest released", async () => {
  const proxy = await DatabaseProxy.start(url);
  const spoolFolder = newSpoolFolder();
  const dying = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder,
    timings: { leaseSeconds: 600 },
  });
  const account = await seedAccount(client, direct, 1000n);
  const [charged, forgotten] = [holdOf(account, 100n), holdOf(account, 100n)];
  await Promise.all([dying.openHold(charged), dying.openHold(forgotten)]);
  proxy.setDown(true);
  const settling = dying.settle(settleOf(charged, 30n));
  await dying.close(100);
  expect(await settling).toMatchObject({ result: "spooled" });
  await proxy.stop();
  const elsewhere = await createLedger({ databaseUrl: url, spoolFolder: newSpoolFolder() });
  await elsewhere.reapNode(dying.nodeId);
  expect(await direct.balance(account.accountId)).toEqual({ available: 800n, held: 200n });
  const sibling = await createLedger({ databaseUrl: url, spoolFolder });
  await sibling.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 800n, held: 200n });
  await sibling.reapNode(dying.nodeId);
  expect(await direct.balance(account.accountId)).toEqual({ available: 970n, held: 0n });
  await sibling.reapNode(dying.nodeId);
  expect(await direct.balance(account.accountId)).toEqual({ available: 970n, held: 0n });
  await Promise.all([elsewhere.close(), sibling.close()]);
});
