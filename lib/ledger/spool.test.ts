import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/db/testing";
import { createLedger } from "./ledger";
import { connect, holdOf, newSpoolFolder, openTestLedger, seedAccount, settleOf } from "./testing";
import { DatabaseProxy } from "./testing-proxy";

test("a damaged spool file holds nothing up: its whole records are charged, the rest is given back with a loss, the file is kept", async () => {
  const url = await createTestDatabase();
  const [client, direct, proxy] = [await connect(url), await openTestLedger(url), await DatabaseProxy.start(url)];
  const spoolFolder = newSpoolFolder();
  const account = await seedAccount(client, direct, 1000n);
  const dying = await createLedger({ databaseUrl: proxy.url, spoolFolder, timings: { leaseSeconds: 1 } });
  const [whole, damaged] = [holdOf(account, 100n), holdOf(account, 100n)];
  await Promise.all([dying.openHold(whole), dying.openHold(damaged)]);
  proxy.setDown(true);
  const ends = [dying.settle(settleOf(whole, 30n)), dying.settle(settleOf(damaged, 40n))];
  await dying.close(100);
  expect((await Promise.all(ends)).map(({ result }) => result)).toEqual(["spooled", "spooled"]);
  await proxy.stop();

  const [file = ""] = readdirSync(spoolFolder).filter((name) => name.endsWith(".spool"));
  const text = readFileSync(join(spoolFolder, file), "utf8");
  writeFileSync(join(spoolFolder, file), text.replace('"amount":40', '"amount":41'));
  const next = await createLedger({ databaseUrl: url, spoolFolder });
  await expect
    .poll(() => next.sweep().then(() => direct.balance(account.accountId)), { timeout: 5000 })
    .toEqual({ available: 970n, held: 0n });
  const { rows } = await client.query("select cause from operator_loss where operation_id = $1", [damaged.operationId]);
  expect(rows).toEqual([{ cause: "crash_unknown" }]);
  expect(readdirSync(spoolFolder).filter((name) => name.startsWith(file))).toEqual([`${file}.damaged`]);
  await Promise.all([next.close(), direct.close(), client.end()]);
});
