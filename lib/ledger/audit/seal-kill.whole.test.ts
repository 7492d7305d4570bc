/** Kills the process that seals, with SIGKILL, again and again. */

import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { openEarlier, seedHistory } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { bundled } from "@/testing/stage/bundle";
import { noOutcome } from "../core/verbs";
import { countAll } from "../usage/usage-counter";
import { auditLedger } from "./audit";
import { auditSealed } from "./audit-sealed";

/** Runs it until it has made a piece or two; resolves to what it said when it is gone. */
async function sealAndKill(script: string, url: string, afterMs: number): Promise<string> {
  const child = spawn(process.execPath, [script, url], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    if (said === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
    said += String(part);
  });
  await new Promise((resolve) => child.once("close", resolve));
  return said;
}

test("kill -9 in the middle of sealing loses no piece and takes no request twice", {
  timeout: 600_000,
}, async () => {
  const url = await createTestDatabase();
  const owner = await connect(url);
  const ledger = await openTestLedger(url);
  await seedHistory(owner, url, { requests: 1500, days: 6 });
  const script = await bundled("testing/ledger/seal-child.ts");
  let killed = 0;
  let said = "";
  for (let round = 0; round < 40 && !said.includes("d"); round++) {
    const hours = 10 + ((round * 13) % 100);
    const stray = await openEarlier(owner, `acct_history_${1 + (round % 12)}`, hours);
    said = await sealAndKill(script, url, (round * 17) % 90);
    expect(said).not.toContain("b");
    if (!said.includes("d")) killed++;
    await ledger.release({ ...stray, reason: "test", loss: null, outcome: noOutcome });
    await countAll(owner);
  }
  expect(killed).toBeGreaterThan(3);
  const whole = await auditLedger(owner);
  const sealed = await auditSealed(owner, { isFull: true });
  expect([...whole.checks, ...sealed.checks].filter(({ ok }) => !ok)).toEqual([]);
  expect([sealed.accounts, sealed.entries]).toEqual([whole.accounts, whole.entries]);
  const { rows } = await owner.query(
    `select (select sum(requests)::int from ledger_piece) = (select count(*)::int from request) as "isWhole",
            (select count(*)::int from ledger_apart where piece is null) as waiting, (select count(*) > 4 from ledger_seal) as "isSealed"`,
  );
  expect(rows).toEqual([{ isWhole: true, waiting: 0, isSealed: true }]);
  await ledger.close();
  await owner.end();
});
