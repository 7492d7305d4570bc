import { expect, test } from "vitest";
import {
  holdOf,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";

const { url, client, ledger } = await opened(openLedgerDatabase());
const other = await opened(openTestLedger(url));

const one = async <T>(sql: string, values: unknown[] = []): Promise<T> =>
  (await client.query(sql, values)).rows[0] as T;

test("a request's points are held, then charged once, and the rest is released", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  expect(await ledger.openHold(hold)).toEqual({ result: "held", amount: 400n });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 600n, held: 400n });
  expect(await ledger.settle(settleOf(hold, 150n))).toEqual({
    result: "done",
    outcome: "settled",
    amount: 150n,
  });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 850n, held: 0n });
  expect(await ledger.settle(settleOf(hold, 151n))).toEqual({
    result: "already",
    outcome: "settled",
    amount: 150n,
  });
  expect(await ledger.release(releaseOf(hold))).toEqual({
    result: "already",
    outcome: "settled",
    amount: 150n,
  });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 850n, held: 0n });
});

test("a release returns the whole hold, and a later settlement charges nothing", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  await ledger.openHold(hold);
  expect(await ledger.release(releaseOf(hold))).toEqual({
    result: "done",
    outcome: "released",
    amount: 0n,
  });
  expect(await ledger.settle(settleOf(hold, 5n))).toEqual({
    result: "already",
    outcome: "released",
    amount: 0n,
  });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
});

test("a hold that is sent several times is held once", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  const answers = await Promise.all([
    ledger.openHold(hold),
    ledger.openHold(hold),
    other.openHold(hold).catch(() => null),
  ]);
  for (const answer of answers)
    if (answer) expect(answer).toEqual({ result: "held", amount: 400n });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 600n, held: 400n });
});

test("a request that allows it is held in part, and refused below its minimum", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  expect(await ledger.openHold(holdOf(account, 1500n, { holdAmountMin: 900n }))).toEqual({
    result: "held",
    amount: 1000n,
  });
  expect(await ledger.openHold(holdOf(account, 10n, { holdAmountMin: 1n }))).toEqual({
    result: "insufficient",
    available: 0n,
    held: 1000n,
  });
});

test("usage above the hold is charged up to the hold, and the rest is the operator's loss", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  await ledger.openHold(hold);
  expect(await ledger.settle(settleOf(hold, 450n))).toEqual({
    result: "done",
    outcome: "settled",
    amount: 400n,
  });
  expect(
    await one("select cause, estimate from operator_loss where operation_id = $1", [
      hold.operationId,
    ]),
  ).toEqual({
    cause: "usage_over_hold",
    estimate: "50",
  });
});

test("a release with a loss records the loss once", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  await ledger.openHold(hold);
  const release = {
    ...releaseOf(hold),
    loss: { cause: "usage_missing", estimateAmount: 33n, detail: { chunks: 3 } },
  } as const;
  await Promise.all([ledger.release(release), other.release(release), ledger.release(release)]);
  const { rows } = await client.query(
    "select cause, estimate, detail from operator_loss where operation_id = $1",
    [hold.operationId],
  );
  expect(rows).toEqual([{ cause: "usage_missing", estimate: "33", detail: { chunks: 3 } }]);
});

test("a suspended account gets no hold, but its open operations are settled", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  await ledger.openHold(hold);
  await client.query("update account set status = 'suspended' where id = $1", [account.accountId]);
  expect(await ledger.openHold(holdOf(account, 1n))).toEqual({ result: "account_suspended" });
  expect(await ledger.settle(settleOf(hold, 7n))).toMatchObject({ result: "done", amount: 7n });
});

test("an unknown operation, another account's operation and amounts out of bounds fail and change nothing", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const stranger = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 400n);
  await expect(ledger.settle(settleOf(hold, 1n))).rejects.toMatchObject({
    code: "database_unavailable",
  });
  await ledger.openHold(hold);
  await expect(
    ledger.settle({ ...settleOf(hold, 1n), accountId: stranger.accountId }),
  ).rejects.toMatchObject({ code: "database_unavailable" });
  await expect(ledger.settle({ ...settleOf(hold, 1n), amount: -1n })).rejects.toThrow(RangeError);
  await expect(ledger.openHold(holdOf(account, -1n))).rejects.toThrow(RangeError);
  await expect(ledger.openHold(holdOf(account, 10n, { holdAmountMin: 0n }))).rejects.toThrow(
    RangeError,
  );
  await expect(ledger.openHold(holdOf(account, 10n ** 15n + 1n))).rejects.toThrow(RangeError);
  expect(await ledger.balance(account.accountId)).toEqual({ available: 600n, held: 400n });
});

test("a settlement is written whatever the upstream puts into its usage and its ids", async () => {
  const account = await seedAccount(client, ledger, 100_000n);
  const hostile = [
    "\0",
    "\ud800",
    "x".repeat(100_000),
    { a: "\u0000", b: ["\udfff"] },
    { big: 1e308, deep: [[[[{}]]]] },
    null,
    undefined,
  ];
  for (const reported of hostile) {
    const hold = holdOf(account, 10n);
    await ledger.openHold(hold);
    const request = settleOf(hold, 3n);
    const upstreamRef = typeof reported === "string" ? reported : "ok";
    const settled = await ledger.settle({
      ...request,
      usage: { ...request.usage, reported },
      outcome: { ...request.outcome, upstreamRef },
    });
    expect(settled).toMatchObject({ result: "done", amount: 3n });
  }
});

test("an item that the database refuses fails alone; the others of the batch succeed", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const good = Array.from({ length: 20 }, () => holdOf(account, 10n));
  const bad = holdOf(account, 10n, { priceVersionId: "999999999" });
  const results = await Promise.allSettled(
    [...good.slice(0, 10), bad, ...good.slice(10)].map((hold) => ledger.openHold(hold)),
  );
  expect(results.map((result) => result.status)).toEqual([
    ...Array(10).fill("fulfilled"),
    "rejected",
    ...Array(10).fill("fulfilled"),
  ]);
  expect(await ledger.balance(account.accountId)).toEqual({ available: 800n, held: 200n });
});

test("credits count once per kind and ref, also when sent five times at once", async () => {
  const account = await seedAccount(client, ledger, 0n);
  const request = {
    accountId: account.accountId,
    kind: "topup",
    ref: crypto.randomUUID(),
    amount: 50n,
    reason: "paid",
    actor: "system",
  } as const;
  const results = await Promise.all(
    Array.from({ length: 5 }, (_, i) => (i % 2 ? ledger : other).credit(request)),
  );
  expect(results.filter(({ result }) => result === "done")).toHaveLength(1);
  expect(await ledger.balance(account.accountId)).toEqual({ available: 50n, held: 0n });
  const stranger = await seedAccount(client, ledger, 0n);
  await expect(ledger.credit({ ...request, accountId: stranger.accountId })).rejects.toMatchObject({
    code: "already_exists",
  });
});

test("credits can be taken back only up to the available points", async () => {
  const account = await seedAccount(client, ledger, 100n);
  const take = {
    accountId: account.accountId,
    kind: "adjust_down",
    amount: 70n,
    reason: "mistake",
    actor: "cli",
  } as const;
  expect(await ledger.credit({ ...take, ref: "a" })).toMatchObject({ result: "done", amount: 70n });
  expect(await ledger.credit({ ...take, ref: "b" })).toEqual({
    result: "insufficient",
    available: 30n,
  });
  expect(await ledger.balance(account.accountId)).toEqual({ available: 30n, held: 0n });
});

test("a key's budget limits what the key spends and holds, also when lowered below what it spent", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 100n);
  const first = holdOf(account, 60n);
  expect(await ledger.openHold(first)).toEqual({ result: "held", amount: 60n });
  expect(await ledger.openHold(holdOf(account, 60n))).toEqual({
    result: "key_budget_exhausted",
    remaining: 40n,
    renewal: null,
  });
  await ledger.settle(settleOf(first, 30n));
  expect(await ledger.openHold(holdOf(account, 90n, { holdAmountMin: 10n }))).toEqual({
    result: "held",
    amount: 70n,
  });
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 20n);
  expect(await ledger.openHold(holdOf(account, 1n))).toEqual({
    result: "key_budget_exhausted",
    remaining: 0n,
    renewal: null,
  });
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, null);
  expect(await ledger.openHold(holdOf(account, 1n))).toEqual({ result: "held", amount: 1n });
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 500n);
  expect(
    await one("select spent, held from api_key_budget where api_key_id = $1", [account.apiKeyId]),
  ).toEqual({
    spent: "30",
    held: "71",
  });
  const stranger = await seedAccount(client, ledger, 0n);
  await expect(ledger.setKeyBudget(account.apiKeyId, stranger.accountId, 1n)).rejects.toMatchObject(
    { code: "not_found" },
  );
});
