import { expect, test } from "vitest";
import { startInvoiceSite } from "@/testing/topup/invoice-site";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { invoiceFiguresOf } from "../queries/invoice-figures";
import { listInvoices, showInvoice } from "../queries/invoices";
import { closeAccount } from "./close-account";
import { makeDueInvoices, makeInvoice, setBilling } from "./invoices";
import { adjustPoints } from "./points";
import { setLiveSetting } from "./settings";

const site = await opened(startInvoiceSite());

const numbers = async () =>
  (
    await site.owner.query<{ number: string }>("select number from invoice order by number")
  ).rows.map(({ number }) => Number(number));
const micropoints = (points: string) => BigInt(points.replace(".", ""));
const total = (rows: readonly { points: string }[]) =>
  rows.reduce((sum, { points }) => sum + micropoints(points), 0n);

test("an invoice adds up with the month's statement to the micropoint, with usage, payments and refunds", async () => {
  const { accountId, intent } = await site.payments.bought();
  await site.payments.send("charge.refunded", {
    ...{ object: "charge", payment_intent: intent, currency: "eur", amount_refunded: 333 },
  });
  await site.moveBack(accountId);
  await site.bill(accountId);
  const { figures } = await site.make(accountId);
  const sums = await site.statement(accountId);
  expect(micropoints(figures.opening)).toBe(sums.opening);
  expect(micropoints(figures.credits)).toBe(sums.credits);
  expect(micropoints(figures.takenBack)).toBe(sums.takenBack);
  expect(micropoints(figures.closing)).toBe(sums.closing);
  expect(figures).toMatchObject({
    credits: "100.000000",
    takenBack: "33.333333",
    closing: "66.666667",
    payments: [{ amount: 999, currency: "eur", name: "Small", points: "100.000000" }],
    refunds: [{ amount: 333, currency: "eur" }],
    sums: [{ amount: 666, currency: "eur" }],
  });
});

test("usage is listed by model, and its lines are the month's charges", async () => {
  const accountId = await site.customer({ "model-a": 1_234_567n, "model-b": 1n, "model-c": 7n });
  await site.moveBack(accountId);
  await site.bill(accountId);
  const { figures } = await site.make(accountId);
  const sums = await site.statement(accountId);
  expect(figures.models).toEqual([
    { model: "model-a", requests: 1, points: "1.234567" },
    { model: "model-c", requests: 1, points: "0.000007" },
    { model: "model-b", requests: 1, points: "0.000001" },
  ]);
  expect(total(figures.models)).toBe(sums.charges);
  expect(total(figures.entries)).toBe(sums.credits - sums.takenBack);
  expect(micropoints(figures.closing)).toBe(sums.closing);
  expect(sums.closing).toBe(sums.opening + sums.credits - sums.takenBack - sums.charges);
});

test("an invoice does not change when names, settings or the account do, and no row of it can be changed or removed", async () => {
  await setLiveSetting(site.deps, "cli", { name: "seller_name", value: "Relay 有限公司" });
  const accountId = await site.customer({ "model-a": 5n });
  await site.moveBack(accountId);
  await site.bill(accountId);
  const made = await site.make(accountId);
  expect(made.figures.seller.name).toBe("Relay 有限公司");
  expect(made.figures.buyer).toEqual(site.details);
  await setLiveSetting(site.deps, "cli", { name: "seller_name", value: "Another" });
  await site.bill(accountId, { name: "Renamed" });
  await adjustPoints(site.deps, "cli", {
    ...{ accountId, ref: "later", amount: 1_000_000n, reason: "test" },
  });
  expect(await site.make(accountId)).toEqual(made);
  await closeAccount(site.deps, "cli", { accountId });
  expect(await showInvoice(site.deps, { accountId: null, id: made.id })).toEqual(made);
  expect((await listInvoices(site.deps, { accountId })).billing).toBeNull();
  for (const change of [
    "update invoice set figures = '{}' where id = $1",
    "delete from invoice where id = $1",
  ])
    await expect(site.owner.query(change, [made.id])).rejects.toThrow();
  await expect(site.owner.query("truncate invoice")).rejects.toThrow();
  await setLiveSetting(site.deps, "cli", { name: "seller_name", value: null });
});

test("twenty at once make one invoice of a month, and the numbers have no gap, also after failures", async () => {
  const accounts: string[] = [];
  for (let count = 0; count < 4; count++) {
    const accountId = await site.customer({ "model-a": 3n });
    accounts.push(accountId);
    await site.moveBack(accountId);
    await site.bill(accountId);
  }
  const before = await numbers();
  const broken = {
    ...{ accountId: accounts[0] ?? "", month: site.month },
    figuresOf: () => Promise.reject(new Error("the database went away")),
  };
  await expect(makeInvoice(site.deps, "user_1", broken)).rejects.toThrow("went away");
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, at) => site.make(accounts[at % 4] ?? "")),
  );
  expect(new Set(made.map(({ number }) => number)).size).toBe(4);
  const after = await numbers();
  expect(after).toHaveLength(before.length + 4);
  expect(after).toEqual(after.map((_, at) => at + 1));
});

test("no invoice of a month that runs, of one before the account, without details, or of no account", async () => {
  const accountId = await site.customer({ "model-a": 3n });
  await site.moveBack(accountId);
  await expect(site.make(accountId)).rejects.toMatchObject({ param: "name" });
  await site.bill(accountId);
  const monthIn = (days: number) => dayFromNow(days).slice(0, 7);
  for (const month of [monthIn(0), "2020-01", monthIn(400)])
    await expect(
      makeInvoice(site.deps, "user_1", { accountId, month, figuresOf: invoiceFiguresOf }),
    ).rejects.toMatchObject({ code: "invalid_value", param: "month" });
  await expect(site.make("acct_none")).rejects.toMatchObject({ code: "not_found" });
  await expect(
    setBilling(site.deps, "user_1", { accountId: "acct_none", ...site.details }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("the last month's invoices are made when they are due: of accounts with details and any movement, once", async () => {
  const [busy, idle, silent] = [
    await site.customer({ "model-a": 9n }),
    await site.payments.newAccount(),
    await site.customer({ "model-a": 9n }),
  ];
  for (const accountId of [busy, idle, silent]) await site.moveBack(accountId);
  for (const accountId of [busy, idle]) await site.bill(accountId);
  for (let round = 0; round < 3; round++)
    await Promise.all(
      [1, 2, 3].map(() => makeDueInvoices(site.deps, { figuresOf: invoiceFiguresOf })),
    );
  const of = async (accountId: string) => listInvoices(site.deps, { accountId });
  expect(await of(busy)).toMatchObject({ invoices: [{ month: site.month }], months: [] });
  expect(await of(idle)).toMatchObject({ invoices: [], months: [] });
  expect(await of(silent)).toMatchObject({ invoices: [], months: [site.month], billing: null });
  const { rows } = await site.owner.query(
    "select actor, action from operator_action where subject = $1 and action = 'invoice.make'",
    [busy],
  );
  expect(rows).toEqual([{ actor: "system", action: "invoice.make" }]);
  expect((await numbers()).length).toBe(Math.max(...(await numbers())));
});
