import { afterEach, expect, test } from "vitest";
import { startAutoTopupSite } from "@/testing/topup/auto-topup-site";
import { opened } from "@/testing/unit/opened";

const site = await opened(startAutoTopupSite());
const { cards } = site.fake;
afterEach(() => {
  cards.fault = null;
  cards.onCharge = null;
  site.fake.state.isFailing = false;
});

test("a balance below the threshold is topped up once, at the package's price, and not again before it falls again", async () => {
  const accountId = await site.account(5);
  await site.sweep();
  expect(await site.paid(accountId)).toMatchObject([
    { amount: 999, currency: "eur", status: "succeeded" },
  ]);
  expect(await site.pointsOf(accountId)).toBe(105);
  expect(await site.chargesOf(accountId)).toMatchObject([{ status: "paid", outcome: "credited" }]);
  await site.age(accountId, "1 hour");
  await site.sweep();
  expect(await site.paid(accountId)).toHaveLength(1);
  await site.move(accountId, "adjust_down", 90);
  await site.sweep();
  await site.sweep();
  expect(await site.paid(accountId)).toHaveLength(2);
  expect(await site.pointsOf(accountId)).toBe(115);
  expect(await site.toldOf(accountId)).toEqual(["payment_paid", "payment_paid"]);
});

test("a balance at the threshold, a switched-off top-up and an account without a card are left alone", async () => {
  const [full, off, bare] = [
    await site.account(20),
    await site.account(5),
    await site.payments.newAccount(),
  ];
  const { stopAutoTopup } = await import("../commands/auto-topup");
  await stopAutoTopup(site.deps, "user_1", { accountId: off });
  await site.sweep();
  for (const accountId of [full, off, bare]) expect(await site.chargesOf(accountId)).toEqual([]);
  await expect(site.turnOn(bare)).rejects.toMatchObject({ code: "invalid_value", param: "card" });
});

test("20 processes at once charge each of ten cards once, and again only after the next fall", async () => {
  const accounts = await Promise.all(Array.from({ length: 10 }, () => site.account(5)));
  for (const total of [1, 2]) {
    await site.sweepOften();
    await site.sweepOften();
    for (const accountId of accounts) {
      expect(await site.paid(accountId)).toHaveLength(total);
      expect(await site.chargesOf(accountId)).toHaveLength(total);
      expect(await site.pointsOf(accountId)).toBe(105);
      await site.age(accountId, "11 minutes");
      await site.move(accountId, "adjust_down", 100);
    }
  }
});

test("a fall within ten minutes of a charge waits, and no day has more than ten charges", async () => {
  const accountId = await site.account(5);
  await site.sweep();
  await site.move(accountId, "adjust_down", 100);
  await site.sweep();
  expect(await site.paid(accountId)).toHaveLength(1);
  for (let more = 0; more < 12; more++) {
    await site.age(accountId, "11 minutes");
    await site.sweep();
    if ((await site.pointsOf(accountId)) > 100) await site.move(accountId, "adjust_down", 100);
  }
  expect(await site.paid(accountId)).toHaveLength(10);
});

test("the webhook may come before the answer, twice, and for a charge that was cut off: credited once", async () => {
  const accountId = await site.account(5);
  cards.onCharge = async (intent) => {
    await Promise.all([
      site.payments.send("payment_intent.succeeded", intent),
      site.payments.send("payment_intent.succeeded", intent),
    ]);
  };
  await site.sweep();
  const [intent] = await site.paid(accountId);
  if (intent === undefined) throw new Error("nothing was charged");
  await site.payments.send("payment_intent.succeeded", intent);
  expect(await site.pointsOf(accountId)).toBe(105);
  await site.payments.send("payment_intent.succeeded", { ...intent, amount_received: 99_900 });
  expect(await site.payments.rowOf(intent.metadata.payment)).toMatchObject({
    attention: "amount_mismatch",
  });
  expect(await site.pointsOf(accountId)).toBe(105);
});

test.each(["before", "lost", "kept"] as const)(
  "a charge without a usable answer (%s) is asked about, never repeated under another key",
  async (fault) => {
    const accountId = await site.account(5);
    cards.fault = fault;
    await expect(site.sweep()).rejects.toMatchObject({ code: "payments_unavailable" });
    await site.sweepOften();
    expect(await site.pointsOf(accountId)).toBe(5);
    cards.fault = null;
    await site.age(accountId, "5 minutes");
    await site.sweepOften();
    expect(await site.paid(accountId)).toHaveLength(1);
    expect(await site.chargesOf(accountId)).toMatchObject([{ outcome: "credited" }]);
    expect(await site.pointsOf(accountId)).toBe(105);
  },
);

test("a charge that never reached the payment provider is given up after half a day; one that did is found then", async () => {
  const [unsent, late] = [await site.account(5), await site.account(5)];
  site.fake.state.isFailing = true;
  await expect(site.sweep()).rejects.toMatchObject({ code: "payments_unavailable" });
  site.fake.state.isFailing = false;
  const [charge] = await site.chargesOf(late);
  await site.age(late, "5 minutes");
  cards.fault = "kept";
  await expect(site.sweep()).rejects.toMatchObject({ code: "payments_unavailable" });
  cards.fault = null;
  for (const accountId of [unsent, late]) await site.age(accountId, "13 hours");
  await site.sweep();
  expect((await site.chargesOf(unsent))[0]).toMatchObject({ status: "failed", outcome: "unsent" });
  expect(await site.chargesOf(late)).toMatchObject([{ id: charge?.id, outcome: "credited" }]);
  expect(await site.paid(unsent)).toHaveLength(0);
});

test("what was paid is credited, also after it had been given up", async () => {
  const accountId = await site.account(5);
  site.fake.state.isFailing = true;
  await expect(site.sweep()).rejects.toMatchObject({ code: "payments_unavailable" });
  site.fake.state.isFailing = false;
  await site.age(accountId, "13 hours");
  await site.sweep();
  const [charge] = await site.chargesOf(accountId);
  expect(charge).toMatchObject({ status: "failed", outcome: "unsent" });
  const intent = { object: "payment_intent", id: "pi_late", status: "succeeded", currency: "eur" };
  const metadata = { payment: charge?.id };
  await site.payments.send("payment_intent.succeeded", {
    ...intent,
    amount_received: 999,
    metadata,
  });
  expect(await site.pointsOf(accountId)).toBe(105);
  expect(await site.chargesOf(accountId)).toMatchObject([{ status: "paid", outcome: "credited" }]);
});

/** So much time passes below, and all of it must be in this month. */
const isMonthTooYoung =
  new Date(Date.now() - 45 * 60_000).getUTCMonth() !== new Date().getUTCMonth();

test.skipIf(isMonthTooYoung)(
  "the month's most is never passed, by 20 processes either, and the next month charges again",
  async () => {
    const accountId = await site.account(5, { monthMax: 2500 });
    for (let fall = 0; fall < 4; fall++) {
      await site.sweepOften();
      await site.age(accountId, "11 minutes");
      if ((await site.pointsOf(accountId)) > 100) await site.move(accountId, "adjust_down", 100);
    }
    expect(await site.paid(accountId)).toHaveLength(2);
    await site.age(accountId, "32 days");
    await site.sweepOften();
    expect(await site.paid(accountId)).toHaveLength(3);
  },
);
