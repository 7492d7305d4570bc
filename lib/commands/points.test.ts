import { expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { charged, connect, newSpoolFolder, seedPrice } from "@/testing/ledger/test-ledger";
import { ledgerWith, startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";
import { newOperationId } from "../crypto/ids";
import { createLedger } from "../ledger/ledger";
import { adjustPoints, refundCharge } from "./points";

const site = await opened(startSiteProcess());
const ledger = await opened(
  createLedger({ databaseUrl: site.databaseUrl, spoolFolder: newSpoolFolder() }),
);
const { accountId } = await signUp(site.deps, {
  email: "money@example.com",
  password: "correct horse battery",
  address: "192.0.2.1",
});

const actor = "user_op";
const byHand = (ref: string) => ({ ref, reason: "Because" });
const actions = (action: string) =>
  site.deps.database.operatorAction.findMany({
    where: { action, subject: accountId },
    orderBy: { id: "asc" },
  });
const available = async () => (await ledger.balance(accountId)).available;

test("points are added and removed with a reason, once per reference, and recorded with both balances", async () => {
  const add = () =>
    adjustPoints(site.deps, actor, { accountId, amount: 5_000_000n, ...byHand("add") });
  expect([await add(), await add()].map(({ isNew }) => isNew)).toEqual([true, false]);
  expect(await available()).toBe(1_005_000_000n);
  await expect(
    adjustPoints(site.deps, actor, { accountId, amount: 6_000_000n, ...byHand("add") }),
  ).rejects.toMatchObject({
    code: "already_exists",
  });
  await adjustPoints(site.deps, actor, { accountId, amount: -1_000_000_000n, ...byHand("take") });
  await expect(
    adjustPoints(site.deps, actor, { accountId, amount: -5_000_001n, ...byHand("more") }),
  ).rejects.toMatchObject({
    code: "insufficient_points",
    message: expect.stringContaining("5.000000"),
  });
  await expect(
    adjustPoints(site.deps, actor, { accountId, amount: 0n, ...byHand("none") }),
  ).rejects.toMatchObject({
    code: "invalid_value",
  });
  expect(await actions("account.credit")).toMatchObject([
    {
      actor: "user_op",
      detail: {
        points: "5.000000",
        reason: "Because",
        before: { available: "1000.000000" },
        after: { available: "1005.000000" },
      },
    },
    {
      actor: "user_op",
      detail: {
        points: "-1000.000000",
        before: { available: "1005.000000" },
        after: { available: "5.000000" },
      },
    },
  ]);
});

test("points added to one account and taken from another at once, under one reference, are one change", async () => {
  const other = await signUp(site.deps, {
    email: "other@example.com",
    password: "correct horse battery",
    address: "192.0.2.2",
  });
  const before = await available();
  for (let round = 0; round < 10; round++) {
    const change = (account: string, amount: bigint) =>
      adjustPoints(site.deps, actor, { accountId: account, amount, ...byHand(`both-${round}`) });
    const ends = await Promise.allSettled([change(accountId, 2n), change(other.accountId, -2n)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "already_exists", param: "ref" },
    });
  }
  const moved = (await available()) - before;
  const { available: left } = await ledger.balance(other.accountId);
  expect(moved / 2n + (1_000_000_000n - left) / 2n).toBe(10n);
});

test("a repeated adjustment writes the record that an interrupted one missed", async () => {
  const credit = {
    accountId,
    kind: "adjust_up",
    ref: "cut",
    amount: 1n,
    reason: "Because",
    actor: "user_op",
  } as const;
  const { result } = await ledgerWith(ledger, {}).credit(credit);
  expect(result).toBe("done");
  await adjustPoints({ ledger }, actor, { accountId, amount: 1n, ...byHand("cut") });
  expect((await actions("account.credit")).at(-1)).toMatchObject({
    detail: { points: "0.000001" },
  });
});

test("points whose commit was not confirmed are added once and recorded once", async () => {
  const proxy = await DatabaseProxy.start(site.databaseUrl);
  const behind = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder: newSpoolFolder(),
    role: "tool",
  });
  let cuts = 0;
  proxy.cutsAnswer = (answer) => answer.includes("COMMIT\0") && cuts++ === 0;
  const before = await available();
  const moved = await adjustPoints({ ledger: behind }, actor, {
    accountId,
    amount: 3n,
    ...byHand("unheard"),
  });
  expect([moved.isNew, (await available()) - before, cuts]).toEqual([true, 3n, 2]);
  const records = (await actions("account.credit")).filter(({ detail }) =>
    JSON.stringify(detail).includes('"0.000003"'),
  );
  expect(records).toMatchObject([{ detail: { entry: moved.entryId } }]);
  await behind.close();
  await proxy.stop();
});

test("a charge is refunded completely or in part, never beyond its amount, and recorded", async () => {
  const client = await connect(site.databaseUrl);
  const priceVersionId = await seedPrice(client).finally(() => client.end());
  const seeded = { accountId, apiKeyId: "", priceVersionId };
  const hold = await charged(ledger, seeded, 1_000_000n, { apiKeyId: null });
  const refund = (ref: string, amount: bigint | null) =>
    refundCharge(site.deps, actor, { operationId: hold.operationId, amount, ...byHand(ref) });
  const before = await available();
  expect(await refund("r1", 400_000n)).toMatchObject({ accountId, amount: 400_000n, isNew: true });
  expect(await refund("r1", 400_000n)).toMatchObject({ isNew: false });
  await expect(refund("r1", 1n)).rejects.toMatchObject({ code: "already_exists" });
  await expect(refund("r2", 600_001n)).rejects.toMatchObject({
    code: "invalid_value",
    message: expect.stringContaining("0.600000"),
  });
  expect(await refund("r3", null)).toMatchObject({ amount: 600_000n });
  await expect(refund("r4", null)).rejects.toThrow(/already refunded/);
  expect(await available()).toBe(before + 1_000_000n);
  await expect(
    refundCharge(site.deps, actor, {
      operationId: newOperationId(),
      amount: null,
      ...byHand("r5"),
    }),
  ).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await actions("charge.refund")).toMatchObject([
    { detail: { operation: hold.operationId, points: "0.400000", reason: "Because" } },
    { detail: { points: "0.600000" } },
  ]);
});
