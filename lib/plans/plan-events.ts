/** An account on a plan: its beginning, its periods and its end, each in the caller's transaction. */
import type pg from "pg";
import { creditLot, expireLots } from "../ledger/core/lots";
import { type AccountPlan, isOver, lockAccountPlan, type PlanTerms, planOf } from "./account-plan";
import {
  dropPaidPeriods,
  nextPaidPeriod,
  type PaidPeriod,
  reversePaidPeriod,
  takePaidPeriod,
} from "./paid-periods";
import { periodBefore, runningPeriod } from "./plan-periods";

interface Grant {
  readonly accountPlanId: string;
  readonly number: number;
  readonly endsAt: Date;
  /** The payment of the period, if one paid it: its points are those that it was sold with. */
  readonly paid: PaidPeriod | undefined;
}

async function grant(
  client: pg.ClientBase,
  accountId: string,
  { name, points }: PlanTerms,
  { accountPlanId, number, endsAt, paid }: Grant,
): Promise<void> {
  await creditLot(client, {
    accountId,
    kind: "plan",
    ref: `${accountPlanId}:${number}`,
    amount: BigInt(paid?.points ?? points),
    reason: name,
    actor: paid?.id ?? "system",
    endsAt,
  });
  if (paid !== undefined) await reversePaidPeriod(client, paid);
}

const setGroup = (client: pg.ClientBase, accountId: string, groupId: string | null) =>
  client.query(
    "update account set group_id = $2 where id = $1 and status <> 'closed' and group_id is distinct from $2",
    [accountId, groupId],
  );

const insert = `
insert into account_plan (id, account_id, plan_id, anchor_at, number, period_starts_at, period_ends_at, group_before, created_by, periods_left)
select $1, $2, $3, $4, $5, $6, $7, group_id, $8, $9 from account where id = $2`;

interface Beginning {
  readonly id: string;
  readonly accountId: string;
  readonly actor: string;
}

interface FirstPeriod {
  readonly anchorAt: Date;
  readonly number: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Null for no number of them. */
  readonly periodsLeft: number | null;
}

async function putOnPlan(
  client: pg.ClientBase,
  plan: PlanTerms,
  { id, accountId, actor }: Beginning,
  { anchorAt, number, startsAt, endsAt, periodsLeft }: FirstPeriod,
): Promise<void> {
  const period = [anchorAt, number, startsAt, endsAt];
  await client.query(insert, [id, accountId, plan.id, ...period, actor, periodsLeft]);
  if (plan.groupId !== null) await setGroup(client, accountId, plan.groupId);
}

async function clockOf(client: pg.ClientBase): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now ?? new Date();
}

interface RunningPeriod extends Pick<FirstPeriod, "endsAt"> {
  readonly points: bigint;
  readonly periodsLeft: number;
}

/** Puts an account on a plan that is on none: its first period begins now. */
export async function beginPlan(
  client: pg.ClientBase,
  plan: PlanTerms,
  { paid, ...beginning }: Beginning & { readonly paid?: PaidPeriod },
): Promise<void> {
  const now = await clockOf(client);
  const { endsAt } = runningPeriod(plan, now, 0, now);
  const periodsLeft = paid === undefined ? null : 0;
  const first = { anchorAt: now, number: 1, startsAt: now, endsAt, periodsLeft };
  await putOnPlan(client, plan, beginning, first);
  const period = { accountPlanId: beginning.id, number: 1 };
  if (paid !== undefined) await takePaidPeriod(client, paid, period);
  await grant(client, beginning.accountId, plan, { ...period, endsAt, paid });
}

/**
 * Puts an account that is on no plan on one in the middle of a period that was paid elsewhere, of which
 * `points` are left. `periodsLeft` whole ones follow, and then the plan ends.
 */
export async function continuePlan(
  client: pg.ClientBase,
  plan: PlanTerms,
  { running, ...beginning }: Beginning & { readonly running: RunningPeriod },
): Promise<void> {
  const { points, ...period } = running;
  const { anchorAt, number } = periodBefore(plan, period.endsAt);
  const startsAt = await clockOf(client);
  await putOnPlan(client, plan, beginning, { anchorAt, number, startsAt, ...period });
  if (points === 0n) return;
  await creditLot(client, {
    ...{ accountId: beginning.accountId, kind: "plan", ref: `${beginning.id}:${number}` },
    ...{ amount: points, reason: plan.name, actor: beginning.actor, endsAt: period.endsAt },
  });
}

/** SQL: no charge of the account's plan has failed. */
export const nothingFailed = "failures = 0, failure = null, retry_at = null, unpaid_until = null";

/** `$8`: by a payment, which leaves what vouchers paid, and the plan that is to follow and be paid. */
const startPeriod = `
update account_plan set status = 'active', plan_id = $2, 
  next_plan_id = case when $8 then nullif(coalesce(next_plan_id, case when renewal_amount is not null then plan_id end), $2) end,
  anchor_at = $3, anchor_number = $4, number = $5, period_starts_at = $6, period_ends_at = $7, ${nothingFailed},
  periods_left = case when plan_id = $2 then periods_left - (not $8)::integer when $8 then 0 end where id = $1`;

/**
 * Begins the next period: the one that was paid, or one of the plan that is to follow. The plan of the
 * period before says which part of the remaining points is kept. `isFromNow`: periods count from now.
 */
export async function beginPeriod(
  client: pg.ClientBase,
  own: AccountPlan,
  isFromNow: boolean,
  paid?: PaidPeriod,
): Promise<void> {
  const { id, accountId, now } = own;
  const before = await planOf(client, own.planId);
  const planId = paid?.planId ?? own.nextPlanId ?? own.planId;
  const plan = planId === before.id ? before : await planOf(client, planId);
  const isAnew = isFromNow || plan.id !== before.id;
  const anchorAt = isFromNow ? now : isAnew ? own.periodEndsAt : own.anchorAt;
  const anchorNumber = isAnew ? own.number + 1 : own.anchorNumber;
  const earlier = own.number + 1 - anchorNumber;
  const { count, startsAt, endsAt } = runningPeriod(plan, anchorAt, earlier, now);
  const number = anchorNumber + count;
  const share = before.rolloverPpm;
  const carriedTo = share > 0 ? endsAt : null;
  // The account before its wallet, as all lock them.
  const groupId = plan.groupId ?? own.groupBefore;
  if (plan.groupId !== before.groupId) await setGroup(client, accountId, groupId);
  const counted = [anchorAt, anchorNumber, number, startsAt, endsAt];
  // Its payment first: without one the database refuses a period that a card is to pay.
  if (paid !== undefined) await takePaidPeriod(client, paid, { accountPlanId: id, number });
  await client.query(startPeriod, [id, plan.id, ...counted, paid !== undefined]);
  await expireLots(client, accountId, { source: id, share, carriedTo });
  await grant(client, accountId, plan, { accountPlanId: id, number, endsAt, paid });
}

const end = `
update account_plan set status = 'ended', ended_at = now(), next_plan_id = null,
  renewal_points = null, renewal_amount = null, renewal_currency = null where id = $1`;

/** Ends the plan of an account now. What is left of its points and not held ends, too. */
export async function endPlan(client: pg.ClientBase, own: AccountPlan): Promise<void> {
  const plan = await planOf(client, own.planId);
  if (plan.groupId !== null) await setGroup(client, own.accountId, own.groupBefore);
  await dropPaidPeriods(client, own.id, null);
  await client.query(end, [own.id]);
  await expireLots(client, own.accountId, { source: own.id, share: 0, carriedTo: null });
}

/** A paid period that begins later than this after the one before counts from its beginning. */
const LATE_MS = 10 * 60_000;

function isLate(own: AccountPlan, paid: PaidPeriod | undefined): boolean {
  if (paid === undefined) return own.unpaidUntil !== null;
  const late = Math.max(paid.creditedAt.getTime(), own.now.getTime() - LATE_MS);
  return late > own.periodEndsAt.getTime();
}

/** What is due of an account's plan; false if nothing is, or another process does it. */
export async function renewPlan(client: pg.ClientBase, accountId: string): Promise<boolean> {
  const own = await lockAccountPlan(client, accountId);
  if (own === undefined || own.periodEndsAt > own.now) return false;
  if (own.isClosed || isOver(own)) {
    await endPlan(client, own);
    return true;
  }
  // A suspended account is as one whose plan is paused.
  if (own.status !== "active" || own.isSuspended || own.awaitsPayment) return false;
  const paid = await nextPaidPeriod(client, own.id);
  await beginPeriod(client, own, isLate(own, paid), paid);
  return true;
}
