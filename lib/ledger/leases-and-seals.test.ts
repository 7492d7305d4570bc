/** Tests that requests that were written together with their ends, and late, are sealed once. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSealableHistory } from "@/testing/ledger/sealed-history";
import {
  connect,
  holdOf,
  openTestLedger,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { newOperationId } from "../ids";
import { auditLedger } from "./audit";
import { auditSealed } from "./audit-sealed";
import { settleText } from "./batch-text";
import { memoryText, wholeText } from "./lease-text";
import type { OpenLedger } from "./ledger";
import { sealLedger } from "./seal";
import { countAll } from "./usage-counter";

const HOUR_MS = 3_600_000;
const NODE = "node_history";

let owner: pg.Client;
let ledger: OpenLedger;
beforeAll(async () => {
  const url = await createSealableHistory();
  owner = await connect(url);
  ledger = await openTestLedger(url);
});
afterAll(async () => {
  await ledger?.close();
  await owner?.end();
});

const sealed = async () =>
  Number(
    (await owner.query<{ n: string }>("select sum(requests) as n from ledger_piece")).rows[0]?.n,
  );

/** Writes a request that was held `ageMs` ago, together with its end. */
async function writeWhole(account: SeededAccount, ageMs: number): Promise<void> {
  const operationId = newOperationId(Date.now() - ageMs);
  const hold = holdOf(account, 50n, { operationId });
  const text = wholeText(memoryText(hold, NODE), ageMs, settleText(settleOf(hold, 7n)));
  const { rows } = await owner.query<{ answer: string }>(
    "select ledger_apply_leased($1, $2, null, null, $3, null, null) as answer",
    [NODE, [account.accountId], `[{"i":0,${text}]`],
  );
  expect(rows[0]?.answer).toContain("e7");
}

test("a request written whole after its hour was sealed is counted once, in a later piece", async () => {
  const account = await seedAccount(owner, ledger, 1_000_000n);
  await sealLedger(owner);
  const before = await sealed();
  for (const hours of [3, 26, 50]) await writeWhole(account, hours * HOUR_MS);
  expect(
    (await owner.query("select count(*)::int as n from ledger_apart where piece is null")).rows,
  ).toEqual([{ n: 3 }]);

  await countAll(owner);
  await sealLedger(owner);
  const reports = [await auditLedger(owner), await auditSealed(owner, { isFull: true })];
  for (const { checks } of reports) expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await sealed()).toBe(before + 3);
  await sealLedger(owner);
  expect(await sealed()).toBe(before + 3);
});
