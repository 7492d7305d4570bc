import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  charged,
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newOperationId } from "../../crypto/ids";
import { auditLedger } from "../audit/audit";
import type { OpenLedger } from "../ledger";
import type { RefundRequest } from "./verbs";

const url = await createTestDatabase();
const client = await opened(connect(url));
const ledgers = [await opened(openTestLedger(url)), await opened(openTestLedger(url))] as const;

/** Charges `amount` micropoints for a new request and returns its operation's id. */
const charge = async (account: SeededAccount, amount: bigint) =>
  (await charged(ledgers[0], account, amount)).operationId;

const refundOf = (operationId: string, ref: string, amount: bigint | null): RefundRequest => ({
  operationId,
  ref,
  amount,
  reason: "The video was black",
  actor: "user_test",
});
const available = async ({ accountId }: SeededAccount) =>
  (await ledgers[0].balance(accountId)).available;

test("a charge can be refunded in parts up to its amount and no further", async () => {
  const account = await seedAccount(client, ledgers[0], 1000n);
  const operation = await charge(account, 100n);
  const [ledger] = ledgers;
  expect(await ledger.refund(refundOf(operation, "one", 30n))).toMatchObject({
    result: "done",
    amount: 30n,
    accountId: account.accountId,
  });
  expect(await available(account)).toBe(930n);
  expect(await ledger.refund(refundOf(operation, "two", 71n))).toEqual({
    result: "exceeds",
    left: 70n,
  });
  expect(await ledger.refund(refundOf(operation, "two", null))).toMatchObject({
    result: "done",
    amount: 70n,
  });
  expect(await ledger.refund(refundOf(operation, "three", null))).toEqual({
    result: "exceeds",
    left: 0n,
  });
  expect(await available(account)).toBe(1000n);
});

test("a reference refunds once, and only the charge it was first used for", async () => {
  const account = await seedAccount(client, ledgers[0], 1000n);
  const [operation, other] = [await charge(account, 100n), await charge(account, 100n)];
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (ledgers[i % 2] as OpenLedger).refund(refundOf(operation, "same", 40n)),
    ),
  );
  expect(results.map(({ result }) => result).sort()).toEqual([
    ...Array(19).fill("already"),
    "done",
  ]);
  expect(await available(account)).toBe(840n);
  await expect(ledgers[0].refund(refundOf(other, "same", 40n))).rejects.toMatchObject({
    code: "already_exists",
  });
});

test("many refunds of one charge at once, from two processes, never exceed the charge", async () => {
  const account = await seedAccount(client, ledgers[0], 1000n);
  const operation = await charge(account, 100n);
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      (ledgers[i % 2] as OpenLedger).refund(refundOf(operation, `race-${i}`, 7n)),
    ),
  );
  expect(results.filter(({ result }) => result === "done")).toHaveLength(14);
  expect(await available(account)).toBe(998n);
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("a request without a charge cannot be refunded", async () => {
  const account = await seedAccount(client, ledgers[0], 1000n);
  const hold = holdOf(account, 10n);
  await ledgers[0].openHold(hold);
  await expect(
    ledgers[0].refund(refundOf(hold.operationId, "running", null)),
  ).rejects.toMatchObject({ code: "not_found" });
  await ledgers[0].release(releaseOf(hold));
  await expect(
    ledgers[0].refund(refundOf(hold.operationId, "released", null)),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(ledgers[0].refund(refundOf(newOperationId(), "absent", null))).rejects.toMatchObject(
    { code: "not_found" },
  );
});

test("the table refuses a refund beyond the charge, of another account, or of another kind", async () => {
  const account = await seedAccount(client, ledgers[0], 1000n);
  const stranger = await seedAccount(client, ledgers[0], 1000n);
  const operation = await charge(account, 100n);
  const insert = (accountId: string, kind: string, amount: number) =>
    client.query(
      "insert into ledger_entry (account_id, kind, ref, amount, reason, actor, operation_id) values ($1, $2, $3, $4, 'x', 'x', $5)",
      [accountId, kind, crypto.randomUUID(), amount, operation],
    );
  await expect(insert(account.accountId, "refund", 101)).rejects.toThrow(/exceeds what is left/);
  await expect(insert(stranger.accountId, "refund", 1)).rejects.toThrow(/exceeds what is left/);
  await expect(insert(account.accountId, "grant", 1)).rejects.toThrow(/ledger_entry_refund_of/);
});
