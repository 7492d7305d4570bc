import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  connect,
  holdOf,
  newSpoolFolder,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { createLedger } from "../ledger";

test("a damaged spool file blocks nothing: complete records are charged, the rest is released with a loss, the file is kept", async () => {
  const url = await createTestDatabase();
  const [client, direct, proxy] = [
    await connect(url),
    await openTestLedger(url),
    await DatabaseProxy.start(url),
  ];
  const spoolFolder = newSpoolFolder();
  const account = await seedAccount(client, direct, 1000n);
  const dying = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder,
    timings: { leaseSeconds: 1 },
  });
  const [whole, damaged] = [holdOf(account, 100n), holdOf(account, 100n)];
  await Promise.all([dying.openHold(whole), dying.openHold(damaged)]);
  proxy.setDown(true);
  const ends = [dying.settle(settleOf(whole, 30n)), dying.settle(settleOf(damaged, 40n))];
  await dying.close(100);
  expect((await Promise.all(ends)).map(({ result }) => result)).toEqual(["spooled", "spooled"]);
  await proxy.stop();

  const [file = ""] = readdirSync(spoolFolder).filter((name) => name.endsWith(".spool"));
  const text = readFileSync(join(spoolFolder, file), "utf8");
  writeFileSync(join(spoolFolder, file), text.replace('"amount":"40"', '"amount":"41"'));
  const next = await createLedger({ databaseUrl: url, spoolFolder });
  await expect
    .poll(() => next.sweep().then(() => direct.balance(account.accountId)), { timeout: 5000 })
    .toEqual({ available: 970n, held: 0n });
  const { rows } = await client.query("select cause from operator_loss where operation_id = $1", [
    damaged.operationId,
  ]);
  expect(rows).toEqual([{ cause: "crash_unknown" }]);
  expect(readdirSync(spoolFolder).filter((name) => name.startsWith(file))).toEqual([
    `${file}.damaged`,
  ]);
  await Promise.all([next.close(), direct.close(), client.end()]);
});

/**
 * A ledger that dies while the database is away, with one settlement of `amount` micropoints in its
 * spool.
 */
async function dieWithSpool(
  url: string,
  spoolFolder: string,
  account: Awaited<ReturnType<typeof seedAccount>>,
  amount: bigint,
) {
  const proxy = await DatabaseProxy.start(url);
  const dying = await createLedger({ databaseUrl: proxy.url, spoolFolder });
  const hold = holdOf(account, 100n);
  await dying.openHold(hold);
  proxy.setDown(true);
  const end = dying.settle(settleOf(hold, amount));
  await dying.close(100);
  expect((await end).result).toBe("spooled");
  await proxy.stop();
  return dying.nodeId;
}

test("the spool of a process whose lease expires during a sweep is kept, and the next sweep charges it", async () => {
  const url = await createTestDatabase();
  const [client, direct] = [await connect(url), await openTestLedger(url)];
  const spoolFolder = newSpoolFolder();
  const [slow, late] = [
    await seedAccount(client, direct, 1000n),
    await seedAccount(client, direct, 1000n),
  ];
  const [dead, dying] = [
    await dieWithSpool(url, spoolFolder, slow, 10n),
    await dieWithSpool(url, spoolFolder, late, 20n),
  ];
  const next = await createLedger({ databaseUrl: url, spoolFolder });
  const lease = (node: string, seconds: number) =>
    client.query(
      "update node set lease_until = clock_timestamp() + make_interval(secs => $2) where id = $1",
      [node, seconds],
    );
  await lease(dead, -1);
  await lease(dying, 0.5);
  // Keeps the sweep busy with the dead node's spool until the other node's lease has expired.
  await client.query("begin");
  await client.query("select 1 from wallet where account_id = $1 for update", [slow.accountId]);
  const swept = next.sweep();
  await new Promise((resolve) => setTimeout(resolve, 800));
  await client.query("commit");
  await swept;
  await next.sweep();
  expect(await direct.balance(slow.accountId)).toEqual({ available: 990n, held: 0n });
  expect(await direct.balance(late.accountId)).toEqual({ available: 980n, held: 0n });
  await Promise.all([next.close(), direct.close(), client.end()]);
});

test("giving one process up keeps another's spool, which is charged", async () => {
  const url = await createTestDatabase();
  const [client, direct] = [await connect(url), await openTestLedger(url)];
  const spoolFolder = newSpoolFolder();
  const account = await seedAccount(client, direct, 1000n);
  const [lost, dead] = [
    await dieWithSpool(url, newSpoolFolder(), account, 10n),
    await dieWithSpool(url, spoolFolder, account, 20n),
  ];
  await client.query(
    "update node set lease_until = clock_timestamp() - interval '1 second' where id in ($1, $2)",
    [lost, dead],
  );
  const next = await createLedger({ databaseUrl: url, spoolFolder });
  expect(await next.releaseNode(lost, "test")).toBe(1);
  await next.sweep();
  expect(await direct.balance(account.accountId)).toEqual({ available: 980n, held: 0n });
  await Promise.all([next.close(), direct.close(), client.end()]);
});
