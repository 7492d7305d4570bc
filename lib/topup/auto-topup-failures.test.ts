import { expect, test } from "vitest";
import { startAutoTopupSite } from "@/testing/topup/auto-topup-site";
import { opened } from "@/testing/unit/opened";
import { suspendAccount } from "../commands/accounts";
import { stopAutoTopup } from "../commands/auto-topup";
import { closeAccount } from "../commands/close-account";
import { changePackage } from "../commands/packages";
import {
  checkSavedCard,
  finishCardCheckouts,
  removeCard,
  startConfirming,
} from "../commands/saved-card";
import { setLiveSetting } from "../commands/settings";
import { openCharges } from "./open-charges";

const site = await opened(startAutoTopupSite());

const intentsOf = (accountId: string, customer: string) =>
  [...site.fake.cards.intents.values()].filter((each) => each.customer === customer && accountId);

test("a declined card is tried again after a day, then automatic top-up is paused until there is another card", async () => {
  const accountId = await site.account(5, { card: "declined" });
  await site.sweepOften();
  await site.age(accountId, "23 hours");
  await site.sweepOften();
  expect(await site.stateOf(accountId)).toMatchObject({ failures: 1, paused: null });
  expect(await site.chargesOf(accountId)).toHaveLength(1);
  await site.age(accountId, "2 hours");
  await site.sweepOften();
  await site.age(accountId, "10 days");
  await site.sweepOften();
  const { paused, customer_id: customer, card_id: old } = await site.stateOf(accountId);
  expect(paused).toBe("card_declined");
  expect(intentsOf(accountId, customer).map(({ status }) => status)).toEqual([
    "canceled",
    "canceled",
  ]);
  expect(await site.toldOf(accountId)).toEqual(["payment_failed", "topup_paused:card_declined"]);
  await site.saveCard(accountId);
  expect(await site.stateOf(accountId)).toMatchObject({ paused: null, card_last4: "4242" });
  await site.sweep();
  expect(await site.pointsOf(accountId)).toBe(105);
  expect(site.fake.cards.removed).toContain(old);
});

test("a bank that wants the person pauses at once; a purchase on which he confirms saves the card and continues", async () => {
  const accountId = await site.account(5, { card: "asks" });
  await site.sweepOften();
  const before = await site.stateOf(accountId);
  expect(before).toMatchObject({ paused: "needs_person", card_last4: "3155" });
  expect(intentsOf(accountId, before.customer_id)).toMatchObject([{ status: "canceled" }]);
  expect(await site.toldOf(accountId)).toEqual(["topup_paused:needs_person"]);
  await site.age(accountId, "3 days");
  await site.sweepOften();
  expect(await site.chargesOf(accountId)).toHaveLength(1);

  const { url } = await startConfirming(site.deps, site.fake.stripe, "user_1", {
    accountId,
    returnUrl: site.returnUrl,
  });
  const checkout = await site.checkoutOf(accountId);
  const session = site.fake.payBy(checkout.session_id, "good");
  expect(url).toContain(session.id);
  expect(session.customer).toBe(before.customer_id);
  await site.payments.send("checkout.session.completed", session);
  const other = await site.payments.newAccount();
  await expect(
    checkSavedCard(site.deps, site.fake.stripe, { accountId: other, id: checkout.id }),
  ).rejects.toMatchObject({ code: "not_found" });
  await Promise.all([1, 2, 3].map(() => finishCardCheckouts(site.deps, site.fake.stripe)));
  expect(await site.stateOf(accountId)).toMatchObject({ paused: null, card_last4: "4242" });
  expect(await site.pointsOf(accountId)).toBe(105);
  await site.move(accountId, "adjust_down", 100);
  await site.sweep();
  expect(await site.pointsOf(accountId)).toBe(105);
});

test("a purchase that confirms the card ends the pause only with its points, so nothing is charged twice", async () => {
  const accountId = await site.account(5, { card: "asks" });
  await site.sweepOften();
  const page = { accountId, returnUrl: site.returnUrl };
  await startConfirming(site.deps, site.fake.stripe, "user_1", page);
  const { id, session_id: sessionId } = await site.checkoutOf(accountId);
  const session = site.fake.payBy(sessionId, "good");
  await site.age(accountId, "1 hour");
  await checkSavedCard(site.deps, site.fake.stripe, { accountId, id });
  await site.sweepOften();
  expect(await site.stateOf(accountId)).toMatchObject({ paused: "needs_person" });
  await site.payments.send("checkout.session.completed", session);
  await site.age(accountId, "5 minutes");
  await finishCardCheckouts(site.deps, site.fake.stripe);
  await site.sweepOften();
  expect(await site.stateOf(accountId)).toMatchObject({ paused: null, card_last4: "4242" });
  expect(await site.chargesOf(accountId)).toHaveLength(1);
  expect(await site.pointsOf(accountId)).toBe(105);
});

test("points that are paid for and not yet credited are waited for", async () => {
  const accountId = await site.account(5);
  await site.owner.query(
    `insert into payment (id, account_id, package_id, package_name, points, amount, currency, status, paid_at)
     values ($1, $2, 'pkg_a', 'Small', 100000000, 999, 'eur', 'paid', now())`,
    [`pay_${accountId}`, accountId],
  );
  await site.sweepOften();
  expect(await site.chargesOf(accountId)).toEqual([]);
});

test("a charge that was not sent is not sent once the account is suspended, or the top-ups turned off", async () => {
  const [stopped, suspended] = [await site.account(5), await site.account(5)];
  await openCharges(site.deps.pool);
  await stopAutoTopup(site.deps, "user_1", { accountId: stopped });
  site.fake.state.isFailing = true;
  await expect(site.sweep()).rejects.toMatchObject({ code: "payments_unavailable" });
  site.fake.state.isFailing = false;
  expect(await site.chargesOf(stopped)).toMatchObject([{ outcome: "unsent" }]);
  await suspendAccount(site.deps, "cli", { accountId: suspended, reason: "test" });
  await site.age(suspended, "5 minutes");
  await site.sweepOften();
  // The request of the failed sweep could still arrive, so the charge is not over before its time.
  expect(await site.chargesOf(suspended)).toMatchObject([{ outcome: null }]);
  await site.age(suspended, "13 hours");
  await site.sweepOften();
  expect(await site.chargesOf(suspended)).toMatchObject([{ outcome: "unsent" }]);
  for (const accountId of [stopped, suspended]) expect(await site.paid(accountId)).toHaveLength(0);
});

test("a card that the payment provider no longer has pauses, and nothing is charged", async () => {
  const accountId = await site.account(5, { card: "gone" });
  await site.sweepOften();
  expect(await site.stateOf(accountId)).toMatchObject({ paused: "card_gone" });
  expect(await site.chargesOf(accountId)).toMatchObject([{ outcome: "card_gone" }]);
});

test("a slow charge stays the only one until its end is known", async () => {
  const accountId = await site.account(5, { card: "slow" });
  await site.sweepOften();
  await site.age(accountId, "2 days");
  await site.sweepOften();
  expect(await site.chargesOf(accountId)).toMatchObject([{ status: "pending", outcome: null }]);
  const { customer_id: customer } = await site.stateOf(accountId);
  const [intent] = intentsOf(accountId, customer);
  if (intent === undefined) throw new Error("nothing was charged");
  Object.assign(intent, { status: "succeeded", amount_received: intent.amount });
  await site.age(accountId, "2 hours");
  await site.sweepOften();
  expect(await site.pointsOf(accountId)).toBe(105);
});

test("a refund and a dispute take the points back and pause, instead of charging the card again", async () => {
  for (const about of ["refund", "dispute"]) {
    const accountId = await site.account(5);
    await site.sweep();
    const [intent] = await site.paid(accountId);
    if (intent === undefined) throw new Error("nothing was charged");
    const common = { payment_intent: intent.id, currency: "eur" };
    if (about === "refund")
      await site.payments.send("charge.refunded", {
        ...{ object: "charge", amount_refunded: 999, ...common },
      });
    else
      await site.payments.send("charge.dispute.created", {
        ...{ object: "dispute", id: `dp_${accountId}`, amount: 999, status: "needs_response" },
        ...common,
      });
    expect(await site.pointsOf(accountId)).toBe(5);
    await site.age(accountId, "1 hour");
    await site.sweepOften();
    expect(await site.stateOf(accountId)).toMatchObject({ paused: "money_back" });
    expect(await site.paid(accountId)).toHaveLength(1);
    expect(await site.toldOf(accountId)).toEqual(["payment_paid", "topup_paused:money_back"]);
  }
});

test("a suspended or closed account is not charged; a closed one is forgotten at the payment provider", async () => {
  const [suspended, closed, paying] = [
    await site.account(5),
    await site.account(5),
    await site.account(5, { card: "slow" }),
  ];
  const { customer_id: customer } = await site.stateOf(closed);
  await suspendAccount(site.deps, "cli", { accountId: suspended, reason: "test" });
  await closeAccount(site.deps, "cli", { accountId: closed });
  await site.sweepOften();
  await site.sweep();
  for (const accountId of [suspended, closed]) expect(await site.chargesOf(accountId)).toEqual([]);
  expect(await site.stateOf(closed)).toBeUndefined();
  expect(site.fake.cards.removed).toContain(customer);
  // Closed while a charge is under way: what is paid later is still on the account's books.
  await closeAccount(site.deps, "cli", { accountId: paying });
  const [charge] = await site.chargesOf(paying);
  const intent = [...site.fake.cards.intents.values()].find(
    (each) => each.metadata.payment === charge?.id,
  );
  const paid = { ...intent, status: "succeeded", amount_received: 999 };
  await site.payments.send("payment_intent.succeeded", paid);
  expect(await site.payments.rowOf(charge?.id ?? "")).toMatchObject({ status: "paid" });
});

test("a package whose price changed, or that is no longer sold, is not charged until the person agrees again", async () => {
  const accountId = await site.account(5);
  await changePackage(site.deps, "cli", { id: "pkg_a", amount: 4999 });
  await site.sweepOften();
  expect(await site.stateOf(accountId)).toMatchObject({ paused: "package_changed" });
  await changePackage(site.deps, "cli", { id: "pkg_a", amount: 999 });
  await site.sweepOften();
  expect(await site.chargesOf(accountId)).toEqual([]);
  expect(await site.toldOf(accountId)).toEqual(["topup_paused:package_changed"]);
  await site.turnOn(accountId);
  await site.sweep();
  expect(await site.pointsOf(accountId)).toBe(105);
});

test("terms that could charge for ever, or more than was allowed, are refused", async () => {
  const accountId = await site.account(5);
  for (const [change, param] of [
    [{ threshold: 0n }, "threshold"],
    [{ threshold: 100_000_001n }, "threshold"],
    [{ monthMax: 998 }, "monthMax"],
    [{ monthMax: 1e10 }, "monthMax"],
    [{ monthMax: 999.5 }, "monthMax"],
    [{ packageId: "pkg_none" }, "packageId"],
  ] as const)
    await expect(site.turnOn(accountId, change)).rejects.toMatchObject({
      code: "invalid_value",
      param,
    });
});

test("a removed card is charged no more, and forgotten; operators can switch all of it off", async () => {
  const [removed, off] = [await site.account(5), await site.account(5)];
  const { card_id: card } = await site.stateOf(removed);
  await removeCard(site.deps, "user_1", { accountId: removed });
  await setLiveSetting(site.deps, "cli", { name: "automatic_topup", value: "no" });
  await site.sweepOften();
  for (const accountId of [removed, off]) expect(await site.chargesOf(accountId)).toEqual([]);
  expect(site.fake.cards.removed).toContain(card);
  await setLiveSetting(site.deps, "cli", { name: "automatic_topup", value: null });
  await site.sweep();
  expect(await site.pointsOf(off)).toBe(105);
  const { rows } = await site.deps.pool.query(
    "select action from operator_action where subject = $1 order by id",
    [removed],
  );
  expect(rows.map(({ action }) => action)).toEqual(["card.save", "auto_topup.set", "card.remove"]);
});
