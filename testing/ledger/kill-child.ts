/**
 * A process that holds and settles until it is killed, and records every answer it got. Used by
 * kill.test.ts.
 */
import { appendFileSync } from "node:fs";
import { createLedger } from "@/lib/ledger/ledger";
import { pause } from "@/lib/timing/pause";
import { holdOf, releaseOf, type SeededAccount, settleOf } from "./test-ledger";

const { databaseUrl, spoolFolder, bookFile, accounts } = JSON.parse(process.argv[2] ?? "{}") as {
  databaseUrl: string;
  spoolFolder: string;
  bookFile: string;
  accounts: SeededAccount[];
};
// Short timeouts, so that the spool is used in every round in which the database is disturbed.
const ledger = await createLedger({
  databaseUrl,
  spoolFolder,
  timings: { leaseSeconds: 1, heartbeatMs: 300, endPatienceMs: 40 },
});

async function caller(account: SeededAccount): Promise<never> {
  for (let n = 1; ; n++) {
    const hold = holdOf(account, 50n);
    const held = await ledger.openHold(hold).catch(() => null);
    if (held?.result !== "held") continue;
    // So that some callers are always between their hold and its end.
    await pause(Math.random() * 20);
    const end = await (n % 4 === 0
      ? ledger.release(releaseOf(hold))
      : ledger.settle(settleOf(hold, BigInt(n % 50))));
    appendFileSync(bookFile, `${end.result} ${hold.operationId} ${end.outcome} ${end.amount}\n`);
  }
}
await Promise.all(
  Array.from({ length: 24 }, (_, i) => caller(accounts[i % accounts.length] as SeededAccount)),
);
