/** The money of plans, as the table in docs/plans.md has it. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  holdOf,
  type LedgerDatabase,
  openLedgerDatabase,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import {
  cancelAccountPlan,
  type PlanMoment,
  pauseAccountPlan,
  resumeAccountPlan,
  setAccountPlan,
} from "../commands/account-plans";
import { changePlan, createPlan, type PlanInput, retirePlan } from "../commands/plans";
import { auditLedger } from "../ledger/audit/audit";
import { sweepPlans } from "./sweep-plans";

let database: LedgerDatabase;
let pool: pg.Pool;
let other: pg.Pool;
beforeAll(async () => {
  database = await openLedgerDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  other = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await Promise.all([pool?.end(), other?.end()]);
  await database?.close();
});

const actor = "cli";
const terms: PlanInput = {
  name: "Small",
  note: null,
  groupId: null,
  points: 100n,
  period: "day",
  hours: null,
  rolloverPercent: 0,
  amount: null,
  currency: null,
  isOffered: true,
};
const newPlan = async (changes: Partial<PlanInput> = {}) =>
  (await createPlan({ pool }, actor, { ...terms, ...changes })).id;
const set = (account: SeededAccount, planId: string, when: PlanMoment = "period_end") =>
  setAccountPlan({ pool }, actor, { accountId: account.accountId, planId, when, isOwn: false });

/** An account on a plan of its own, with points that have no end. */
async function subscribe(changes: Partial<PlanInput> = {}, points = 0n) {
  const account = await seedAccount(database.client, database.ledger, points);
  const planId = await newPlan(changes);
  await set(account, planId);
  return { account, planId };
}

/** As if it were later. */
async function pass({ accountId }: SeededAccount, hours: number): Promise<void> {
  const span = `${hours} hours`;
  await database.client.query(
    `update account_plan set anchor_at = anchor_at - $2::interval, period_starts_at = period_starts_at - $2::interval,
       period_ends_at = period_ends_at - $2::interval where account_id = $1`,
    [accountId, span],
  );
  await database.client.query(
    "update point_lot set ends_at = ends_at - $2::interval where account_id = $1",
    [accountId, span],
  );
}
const later = async (account: SeededAccount, hours: number) => {
  await pass(account, hours);
  await sweepPlans(pool);
};

/** The account's entries: what plans gave, and what ended. */
async function entries({ accountId }: SeededAccount): Promise<string[]> {
  const { rows } = await database.client.query<{ line: string }>(
    `select case kind when 'plan' then '+' else '-' end || amount as line from ledger_entry
      where account_id = $1 and kind in ('plan', 'expiry') order by id`,
    [accountId],
  );
  return rows.map(({ line }) => line);
}
const available = async ({ accountId }: SeededAccount) =>
  (await database.ledger.balance(accountId)).available;
async function spend(account: SeededAccount, amount: bigint): Promise<void> {
  const hold = holdOf(account, amount);
  expect(await database.ledger.openHold(hold)).toMatchObject({ result: "held" });
  await database.ledger.settle(settleOf(hold, amount));
}

test("each period gives its points once, and takes what is left of those before", async () => {
  const { account } = await subscribe({}, 7n);
  await spend(account, 30n);
  await later(account, 23);
  expect(await entries(account)).toEqual(["+100"]);
  await later(account, 1);
  expect(await entries(account)).toEqual(["+100", "-70", "+100"]);
  await sweepPlans(pool);
  expect(await available(account)).toBe(107n);
});

test("many processes that sweep at once renew each plan once", async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => subscribe()));
  for (const { account } of accounts) await pass(account, 24);
  await Promise.all([pool, other, pool, other].map(sweepPlans));
  for (const { account } of accounts)
    expect(await entries(account)).toEqual(["+100", "-100", "+100"]);
});

test("a part or all of what is left goes on, and what is held goes on with it", async () => {
  const { account } = await subscribe({ rolloverPercent: 25 });
  const hold = holdOf(account, 20n);
  await database.ledger.openHold(hold);
  await later(account, 24);
  expect(await entries(account)).toEqual(["+100", "-60", "+100"]);
  await database.ledger.release(releaseOf(hold));
  expect(await available(account)).toBe(140n);
  const whole = await subscribe({ rolloverPercent: 100 });
  await later(whole.account, 24);
  await later(whole.account, 24);
  expect(await entries(whole.account)).toEqual(["+100", "+100", "+100"]);
});

test("points that a request holds when they end stay with it, and end when it gives them back", async () => {
  const { account } = await subscribe();
  const hold = holdOf(account, 40n);
  await database.ledger.openHold(hold);
  await later(account, 24);
  expect(await entries(account)).toEqual(["+100", "-60", "+100"]);
  await database.ledger.settle(settleOf(hold, 15n));
  await sweepPlans(pool);
  expect(await entries(account)).toEqual(["+100", "-60", "+100", "-25"]);
  expect(await available(account)).toBe(100n);
});

test("a change of plan counts at the end of the period, or now from a new period on", async () => {
  const { account, planId } = await subscribe({ rolloverPercent: 50 });
  const large = await newPlan({ points: 500n });
  await set(account, large);
  await later(account, 24);
  expect(await entries(account)).toEqual(["+100", "-50", "+500"]);
  await set(account, planId, "now");
  expect((await entries(account)).slice(3)).toEqual(["-50", "-500", "+100"]);
  await later(account, 23);
  expect(await available(account)).toBe(100n);
  await expect(set(account, planId, "now")).rejects.toMatchObject({ code: "invalid_value" });
});

test("a plan that is cancelled ends with its period, or now, and all of its points with it", async () => {
  const { account } = await subscribe({ rolloverPercent: 100 }, 7n);
  const { accountId } = account;
  await cancelAccountPlan({ pool }, actor, { accountId, when: "period_end" });
  expect(await available(account)).toBe(107n);
  await later(account, 24);
  await later(account, 24);
  expect(await entries(account)).toEqual(["+100", "-100"]);
  const now = await subscribe();
  await spend(now.account, 1n);
  await cancelAccountPlan({ pool }, actor, { accountId: now.account.accountId, when: "now" });
  expect(await entries(now.account)).toEqual(["+100", "-99"]);
  // What was to follow can be undone until then.
  const kept = await subscribe();
  const own = { accountId: kept.account.accountId };
  await cancelAccountPlan({ pool }, actor, { ...own, when: "period_end" });
  await set(kept.account, kept.planId);
  await later(kept.account, 24);
  expect(await entries(kept.account)).toEqual(["+100", "-100", "+100"]);
});

test("a plan that is paused gives no period; one that goes on gives none twice", async () => {
  const { account } = await subscribe();
  const { accountId } = account;
  await pauseAccountPlan({ pool }, actor, { accountId });
  await resumeAccountPlan({ pool }, actor, { accountId });
  expect(await entries(account)).toEqual(["+100"]);
  await pauseAccountPlan({ pool }, actor, { accountId });
  await later(account, 24 * 3);
  expect(await entries(account)).toEqual(["+100", "-100"]);
  await resumeAccountPlan({ pool }, actor, { accountId });
  expect(await entries(account)).toEqual(["+100", "-100", "+100"]);
  await later(account, 23);
  expect(await available(account)).toBe(100n);
});

test("a suspended account is given nothing until it is active; a closed one is on no plan", async () => {
  const { account } = await subscribe();
  const state = (status: string) =>
    database.client.query("update account set status = $2 where id = $1", [
      account.accountId,
      status,
    ]);
  await state("suspended");
  await later(account, 30);
  expect(await entries(account)).toEqual(["+100", "-100"]);
  await state("active");
  await sweepPlans(pool);
  expect(await entries(account)).toEqual(["+100", "-100", "+100"]);
  await state("closed");
  await later(account, 24);
  expect(await entries(account)).toEqual(["+100", "-100", "+100", "-100"]);
  await expect(set(account, await newPlan())).rejects.toMatchObject({ code: "invalid_value" });
});

test("after a stop over several periods the one that runs is given, at its own time", async () => {
  const { account } = await subscribe({ period: "hours", hours: 5 });
  await later(account, 23);
  expect(await entries(account)).toEqual(["+100", "-100", "+100"]);
  await later(account, 1.9);
  expect(await entries(account)).toEqual(["+100", "-100", "+100"]);
  await later(account, 0.2);
  expect(await entries(account)).toEqual(["+100", "-100", "+100", "-100", "+100"]);
});

test("a refunded charge gives points without an end", async () => {
  const { account } = await subscribe();
  const hold = holdOf(account, 60n);
  await database.ledger.openHold(hold);
  await database.ledger.settle(settleOf(hold, 60n));
  await database.ledger.refund({
    operationId: hold.operationId,
    ref: hold.operationId,
    amount: 10n,
    reason: "test",
    actor: "system",
  });
  await cancelAccountPlan({ pool }, actor, { accountId: account.accountId, when: "now" });
  expect(await entries(account)).toEqual(["+100", "-40"]);
  expect(await available(account)).toBe(10n);
});

test("what operators change of a plan counts from the next period on; a retired one takes nobody", async () => {
  const { account, planId } = await subscribe();
  await changePlan({ pool }, actor, { id: planId, points: 300n, rolloverPercent: 100 });
  await retirePlan({ pool }, actor, { id: planId });
  expect(await available(account)).toBe(100n);
  await later(account, 24);
  expect(await available(account)).toBe(400n);
  const next = await seedAccount(database.client, database.ledger, 0n);
  await expect(set(next, planId)).rejects.toMatchObject({ code: "invalid_value" });
});

test("people choose among the plans that are offered and free", async () => {
  const { accountId } = await seedAccount(database.client, database.ledger, 0n);
  const choose = (planId: string) =>
    setAccountPlan({ pool }, "user_1", { accountId, planId, when: "period_end", isOwn: true });
  const sold = await newPlan({ amount: 900, currency: "eur" });
  await expect(choose(sold)).rejects.toMatchObject({ code: "invalid_value" });
  const hidden = await newPlan({ isOffered: false });
  await expect(choose(hidden)).rejects.toMatchObject({ code: "not_found" });
  const free = await newPlan();
  const chosen = await Promise.allSettled([choose(free), choose(free)]);
  expect(chosen.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await database.ledger.balance(accountId)).toEqual({ available: 100n, held: 0n });
});

test("a plan's group is the account's until the plan ends", async () => {
  const group = async (name: string) => {
    const id = `grp_${name}`;
    await database.client.query(
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
  const { account, planId } = await subscribe({ groupId: small });
  const { accountId } = account;
  const groupOf = async () =>
    (
      await database.client.query<{ id: string | null }>(
        "select group_id as id from account where id = $1",
        [accountId],
      )
    ).rows[0]?.id;
  expect(await groupOf()).toBe(small);
  await set(account, await newPlan({ groupId: large }), "now");
  expect(await groupOf()).toBe(large);
  await cancelAccountPlan({ pool }, actor, { accountId, when: "now" });
  expect(await groupOf()).toBe(null);
  await database.client.query("update account set group_id = $2 where id = $1", [
    accountId,
    before,
  ]);
  await set(account, planId);
  expect(await groupOf()).toBe(small);
  await cancelAccountPlan({ pool }, actor, { accountId, when: "now" });
  expect(await groupOf()).toBe(before);
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
    await expect(newPlan(changes)).rejects.toMatchObject({ code: "invalid_value", param });
});

test("after all of it the audit is clean", async () => {
  const { checks } = await auditLedger(database.client);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});
