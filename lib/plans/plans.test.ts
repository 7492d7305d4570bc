/** The money of plans, as the table in docs/plans.md has it. */
import { expect, test } from "vitest";
import { openPlanSite } from "@/testing/commands/plan-site";
import { charged, holdOf, releaseOf, seedAccount, settleOf } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import {
  cancelAccountPlan,
  pauseAccountPlan,
  resumeAccountPlan,
  setAccountPlan,
} from "../commands/account-plans";
import { deleteGroup } from "../commands/groups";
import { changePlan, retirePlan } from "../commands/plans";
import { auditLedger } from "../ledger/audit/audit";
import { listPlans, UNPAID_SHOWN } from "../queries/plans";
import { redeemVoucher } from "../topup/vouchers";
import { sweepPlans } from "./sweep-plans";

const actor = "cli";
const site = await opened(openPlanSite());

test("each period gives its points once, and takes what is left of those before", async () => {
  const { account } = await site.subscribe({}, 7n);
  await site.spend(account, 30n);
  await site.later(account, 23);
  expect(await site.entries(account)).toEqual(["+100"]);
  await site.later(account, 1);
  expect(await site.entries(account)).toEqual(["+100", "-70", "+100"]);
  await sweepPlans(site.pool);
  expect(await site.available(account)).toBe(107n);
});

test("many processes that sweep at once renew each plan once", async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => site.subscribe()));
  for (const { account } of accounts) await site.pass(account, 24);
  await Promise.all([site.pool, site.other, site.pool, site.other].map(sweepPlans));
  for (const { account } of accounts)
    expect(await site.entries(account)).toEqual(["+100", "-100", "+100"]);
});

test("a part or all of what is left goes on, and what is held goes on with it", async () => {
  const { account } = await site.subscribe({ rolloverPercent: 25 });
  const hold = holdOf(account, 20n);
  await site.database.ledger.openHold(hold);
  await site.later(account, 24);
  expect(await site.entries(account)).toEqual(["+100", "-60", "+100"]);
  await site.database.ledger.release(releaseOf(hold));
  expect(await site.available(account)).toBe(140n);
  const whole = await site.subscribe({ rolloverPercent: 100 });
  await site.later(whole.account, 24);
  await site.later(whole.account, 24);
  expect(await site.entries(whole.account)).toEqual(["+100", "+100", "+100"]);
});

test("points that a request holds when they end stay with it, and end when it gives them back", async () => {
  const { account } = await site.subscribe();
  const hold = holdOf(account, 40n);
  await site.database.ledger.openHold(hold);
  await site.later(account, 24);
  expect(await site.entries(account)).toEqual(["+100", "-60", "+100"]);
  await site.database.ledger.settle(settleOf(hold, 15n));
  await sweepPlans(site.pool);
  expect(await site.entries(account)).toEqual(["+100", "-60", "+100", "-25"]);
  expect(await site.available(account)).toBe(100n);
});

test("a change of plan counts at the end of the period, or now from a new period on", async () => {
  const { account, planId } = await site.subscribe({ rolloverPercent: 50 });
  const large = await site.newPlan({ points: 500n });
  await site.set(account, large);
  await site.later(account, 24);
  expect(await site.entries(account)).toEqual(["+100", "-50", "+500"]);
  await site.set(account, planId, "now");
  expect((await site.entries(account)).slice(3)).toEqual(["-50", "-500", "+100"]);
  await site.later(account, 23);
  expect(await site.available(account)).toBe(100n);
  await expect(site.set(account, planId, "now")).rejects.toMatchObject({ code: "invalid_value" });
});

test("a plan that is cancelled ends with its period, or now, and all of its points with it", async () => {
  const { account } = await site.subscribe({ rolloverPercent: 100 }, 7n);
  const { accountId } = account;
  await cancelAccountPlan(site, actor, { accountId, when: "period_end" });
  expect(await site.available(account)).toBe(107n);
  await site.later(account, 24);
  await site.later(account, 24);
  expect(await site.entries(account)).toEqual(["+100", "-100"]);
  const now = await site.subscribe();
  await site.spend(now.account, 1n);
  await cancelAccountPlan(site, actor, { accountId: now.account.accountId, when: "now" });
  expect(await site.entries(now.account)).toEqual(["+100", "-99"]);
  // What was to follow can be undone until then.
  const kept = await site.subscribe();
  const own = { accountId: kept.account.accountId };
  await cancelAccountPlan(site, actor, { ...own, when: "period_end" });
  await site.set(kept.account, kept.planId);
  await site.later(kept.account, 24);
  expect(await site.entries(kept.account)).toEqual(["+100", "-100", "+100"]);
});

test("a plan that is paused gives no period; one that goes on gives none twice", async () => {
  const { account } = await site.subscribe();
  const { accountId } = account;
  await pauseAccountPlan(site, actor, { accountId });
  await resumeAccountPlan(site, actor, { accountId });
  expect(await site.entries(account)).toEqual(["+100"]);
  await pauseAccountPlan(site, actor, { accountId });
  await site.later(account, 24 * 3);
  expect(await site.entries(account)).toEqual(["+100", "-100"]);
  await resumeAccountPlan(site, actor, { accountId });
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100"]);
  await site.later(account, 23);
  expect(await site.available(account)).toBe(100n);
});

test("a suspended account is given nothing until it is active; a closed one is on no plan", async () => {
  const { account } = await site.subscribe();
  const state = (status: string) =>
    site.database.client.query("update account set status = $2 where id = $1", [
      account.accountId,
      status,
    ]);
  await state("suspended");
  await site.later(account, 30);
  expect(await site.entries(account)).toEqual(["+100", "-100"]);
  await state("active");
  await sweepPlans(site.pool);
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100"]);
  await state("closed");
  await site.later(account, 24);
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100", "-100"]);
  await expect(site.set(account, await site.newPlan())).rejects.toMatchObject({
    code: "invalid_value",
  });
});

test("after a stop over several periods the one that runs is given, at its own time", async () => {
  const { account } = await site.subscribe({ period: "hours", hours: 5 });
  await site.later(account, 23);
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100"]);
  await site.later(account, 1.9);
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100"]);
  await site.later(account, 0.2);
  expect(await site.entries(account)).toEqual(["+100", "-100", "+100", "-100", "+100"]);
});

test("a refunded charge gives points without an end", async () => {
  const { account } = await site.subscribe();
  const hold = await charged(site.database.ledger, account, 60n);
  await site.database.ledger.refund({
    operationId: hold.operationId,
    ref: hold.operationId,
    amount: 10n,
    reason: "test",
    actor: "system",
  });
  await cancelAccountPlan(site, actor, { accountId: account.accountId, when: "now" });
  expect(await site.entries(account)).toEqual(["+100", "-40"]);
  expect(await site.available(account)).toBe(10n);
});

test("what operators change of a plan counts from the next period on; a retired one takes nobody", async () => {
  const { account, planId } = await site.subscribe();
  await changePlan(site, actor, { id: planId, points: 300n, rolloverPercent: 100 });
  await retirePlan(site, actor, { id: planId });
  expect(await site.available(account)).toBe(100n);
  await site.later(account, 24);
  expect(await site.available(account)).toBe(400n);
  const next = await seedAccount(site.database.client, site.database.ledger, 0n);
  await expect(site.set(next, planId)).rejects.toMatchObject({ code: "invalid_value" });
});

test("people choose among the plans that are offered and free", async () => {
  const { accountId } = await seedAccount(site.database.client, site.database.ledger, 0n);
  const choose = (planId: string) =>
    setAccountPlan(site, "user_1", { accountId, planId, when: "period_end", isOwn: true });
  const sold = await site.newPlan({ amount: 900, currency: "eur" });
  await expect(choose(sold)).rejects.toMatchObject({ code: "invalid_value" });
  const hidden = await site.newPlan({ isOffered: false });
  await expect(choose(hidden)).rejects.toMatchObject({ code: "not_found" });
  const free = await site.newPlan();
  const chosen = await Promise.allSettled([choose(free), choose(free)]);
  expect(chosen.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await site.database.ledger.balance(accountId)).toEqual({ available: 100n, held: 0n });
});

test("a plan's group is the account's until the plan ends", async () => {
  const group = async (name: string) => {
    const id = `grp_${name}`;
    await site.database.client.query(
      "insert into account_group (id, name, created_by) values ($1, $2, 'test')",
      [id, name],
    );
    return id;
  };
  const [before, small, large] = [
    await group("before"),
    await group("small"),
    await group("large"),
  ];
  const { account, planId } = await site.subscribe({ groupId: small });
  const { accountId } = account;
  const groupOf = async () =>
    (
      await site.database.client.query<{ id: string | null }>(
        "select group_id as id from account where id = $1",
        [accountId],
      )
    ).rows[0]?.id;
  expect(await groupOf()).toBe(small);
  await site.set(account, await site.newPlan({ groupId: large }), "now");
  expect(await groupOf()).toBe(large);
  await cancelAccountPlan(site, actor, { accountId, when: "now" });
  expect(await groupOf()).toBe(null);
  await site.database.client.query("update account set group_id = $2 where id = $1", [
    accountId,
    before,
  ]);
  await site.set(account, planId);
  expect(await groupOf()).toBe(small);
  await cancelAccountPlan(site, actor, { accountId, when: "now" });
  expect(await groupOf()).toBe(before);
  await expect(deleteGroup(site, actor, { id: small })).rejects.toMatchObject({ param: "id" });
});

test("vouchers of a plan pay for its periods, one after the other, and then it ends", async () => {
  const own = await seedAccount(site.database.client, site.database.ledger, 0n);
  const { accountId } = own;
  const planId = await site.newPlan({ amount: 900, currency: "eur" });
  const { codes } = await site.vouchers(planId, 2);
  const redeem = (code = "") => redeemVoucher(site.pool, site.database.ledger, { accountId, code });
  expect(await Promise.allSettled(codes.slice(0, 2).map(redeem))).toMatchObject([
    { status: "fulfilled" },
    { status: "fulfilled" },
  ]);
  await expect(redeem(codes[0])).rejects.toMatchObject({ param: "code" });
  expect(await site.entries(own)).toEqual(["+100"]);
  for (let period = 0; period < 3; period++) await site.later(own, 24);
  expect((await site.entries(own)).filter((line) => line === "+100")).toHaveLength(4);
  // What was paid by vouchers, nobody can prolong by choosing it.
  const wanted = { accountId, planId, when: "period_end", isOwn: true } as const;
  await expect(setAccountPlan(site, actor, wanted)).rejects.toMatchObject({ param: "plan" });
  const other = await site.vouchers(await site.newPlan(), 1);
  await expect(redeem(other.codes[0])).rejects.toMatchObject({ param: "code" });
  await site.later(own, 24);
  await site.later(own, 24);
  expect((await site.entries(own)).filter((line) => line === "+100")).toHaveLength(4);
  expect(await site.available(own)).toBe(0n);
  expect(await redeem(other.codes[0])).toBe(100n);
});

test("terms that make no sense are refused with the field", async () => {
  for (const [param, changes] of [
    ["points", { points: 0n }],
    ["hours", { period: "hours" }],
    ["hours", { hours: 5 }],
    ["rollover_percent", { rolloverPercent: 101 }],
    ["currency", { amount: 900 }],
    ["name", { name: " " }],
  ] as const)
    await expect(site.newPlan(changes)).rejects.toMatchObject({ code: "invalid_value", param });
});

test("of a plan that many do not pay, the first are listed, and all are counted", async () => {
  const planId = await site.newPlan();
  const accounts = UNPAID_SHOWN + 2;
  for (let each = 0; each < accounts; each++)
    await site.set(await seedAccount(site.database.client, site.database.ledger, 0n), planId);
  await site.pool.query(
    "update account_plan set failure = 'card_declined', unpaid_until = period_ends_at where plan_id = $1",
    [planId],
  );
  const plan = (await listPlans(site)).find(({ id }) => id === planId);
  expect(plan).toMatchObject({ accounts, unpaidCount: accounts });
  expect(plan?.unpaid).toHaveLength(UNPAID_SHOWN);
});

test("after all of it the audit is clean", async () => {
  const { checks } = await auditLedger(site.database.client);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});
