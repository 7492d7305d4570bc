/** An account on a plan: its beginning, its periods and its end, each in the caller's transaction. */
import type pg from "pg";
import type { AccountPlanState, PlanPeriod } from "../contract/states";
import { creditLot, expireLots } from "../ledger/core/lots";
import { runningPeriod } from "./plan-periods";

export interface PlanTerms {
  readonly id: string;
  readonly name: string;
  readonly groupId: string | null;
  /** Micropoints, as text. */
  readonly points: string;
  readonly period: PlanPeriod;
  readonly hours: number | null;
  readonly rolloverPpm: number;
  readonly isFree: boolean;
  readonly isOffered: boolean;
  readonly isRetired: boolean;
}

export interface AccountPlan {
  readonly id: string;
  readonly accountId: string;
  readonly planId: string;
  readonly nextPlanId: string | null;
  readonly status: AccountPlanState;
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly number: number;
  readonly periodEndsAt: Date;
  readonly endsWithPeriod: boolean;
  /** Paid by vouchers; null for no number of them. */
  readonly periodsLeft: number | null;
  readonly groupBefore: string | null;
  readonly isClosed: boolean;
  readonly isSuspended: boolean;
  /** By the clock of the database. */
  readonly now: Date;
}

const planQuery = `
select id, name, group_id as "groupId", points, period, hours, rollover_ppm as "rolloverPpm", amount is null as "isFree",
       is_offered as "isOffered", retired_at is not null as "isRetired"
  from plan where id = $1 for share`;

/** The plan, which does not change until the transaction ends; undefined if there is none. */
export async function lockPlan(client: pg.ClientBase, id: string): Promise<PlanTerms | undefined> {
  return (await client.query<PlanTerms>(planQuery, [id])).rows[0];
}

async function planOf(client: pg.ClientBase, id: string): Promise<PlanTerms> {
  const plan = await lockPlan(client, id);
  if (plan === undefined) throw new Error(`there is no plan ${id}`);
  return plan;
}

const currentQuery = `
select p.id, p.account_id as "accountId", p.plan_id as "planId", p.next_plan_id as "nextPlanId", p.status, p.anchor_at as "anchorAt",
       p.anchor_number as "anchorNumber", p.number, p.period_ends_at as "periodEndsAt", p.ends_with_period as "endsWithPeriod", p.periods_left as "periodsLeft",
       p.group_before as "groupBefore", a.status = 'closed' as "isClosed", a.status = 'suspended' as "isSuspended", clock_timestamp() as now
  from account_plan p join account a on a.id = p.account_id where p.account_id = $1 and p.status <> 'ended' for update of p`;

/**
 * The plan that an account is on, undefined if it is on none. Changes of it, also its first one, come
 * one after another until their commits.
 */
export async function lockAccountPlan(
  client: pg.ClientBase,
  accountId: string,
): Promise<AccountPlan | undefined> {
  // A statement of its own, so that the next one sees what was committed while this one waited.
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 7275641))", [accountId]);
  return (await client.query<AccountPlan>(currentQuery, [accountId])).rows[0];
}

const grant = (
  client: pg.ClientBase,
  accountId: string,
  { name, points }: PlanTerms,
  lot: { readonly source: string; readonly number: number; readonly endsAt: Date },
) =>
  creditLot(client, {
    accountId,
    kind: "plan",
    ref: `${lot.source}:${lot.number}`,
    amount: BigInt(points),
    reason: name,
    actor: "system",
    endsAt: lot.endsAt,
  });

const setGroup = (client: pg.ClientBase, accountId: string, groupId: string | null) =>
  client.query(
    "update account set group_id = $2 where id = $1 and status <> 'closed' and group_id is distinct from $2",
    [accountId, groupId],
  );

const insert = `
insert into account_plan (id, account_id, plan_id, anchor_at, period_starts_at, period_ends_at, group_before, created_by)
select $1, $2, $3, $4, $4, $5, group_id, $6 from account where id = $2`;

/** Puts an account on a plan that is on none: its first period begins now. */
export async function beginPlan(
  client: pg.ClientBase,
  plan: PlanTerms,
  by: { readonly id: string; readonly accountId: string; readonly actor: string },
): Promise<void> {
  const { id, accountId, actor } = by;
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  const now = rows[0]?.now ?? new Date();
  const { endsAt } = runningPeriod(plan, now, 0, now);
  await client.query(insert, [id, accountId, plan.id, now, endsAt, actor]);
  if (plan.groupId !== null) await setGroup(client, accountId, plan.groupId);
  await grant(client, accountId, plan, { source: id, number: 1, endsAt });
}

const startPeriod = `
update account_plan set status = 'active', plan_id = $2, next_plan_id = null, anchor_at = $3, anchor_number = $4, number = $5,
  period_starts_at = $6, period_ends_at = $7, periods_left = case when plan_id = $2 then periods_left - 1 end where id = $1`;

/**
 * Begins the next period: of the plan that follows, if there is one. A part of what is left goes on,
 * as the plan before says. `isFromNow`: periods count from now.
 */
export async function beginPeriod(
  client: pg.ClientBase,
  own: AccountPlan,
  isFromNow: boolean,
): Promise<void> {
  const { id, accountId, now } = own;
  const before = await planOf(client, own.planId);
  const plan = own.nextPlanId === null ? before : await planOf(client, own.nextPlanId);
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
  await client.query(startPeriod, [id, plan.id, anchorAt, anchorNumber, number, startsAt, endsAt]);
  await expireLots(client, accountId, { source: id, share, carriedTo });
  await grant(client, accountId, plan, { source: id, number, endsAt });
}

/** Ends the plan of an account now. What is left of its points and not held ends, too. */
export async function endPlan(client: pg.ClientBase, own: AccountPlan): Promise<void> {
  const plan = await planOf(client, own.planId);
  if (plan.groupId !== null) await setGroup(client, own.accountId, own.groupBefore);
  await client.query(
    "update account_plan set status = 'ended', ended_at = now(), next_plan_id = null where id = $1",
    [own.id],
  );
  await expireLots(client, own.accountId, { source: own.id, share: 0, carriedTo: null });
}

/** All periods that were paid are over, and no other plan follows. */
export const isUsedUp = ({ periodsLeft, nextPlanId }: AccountPlan) =>
  periodsLeft === 0 && nextPlanId === null;

/** What is due of an account's plan; false if nothing is, or another process does it. */
export async function renewPlan(client: pg.ClientBase, accountId: string): Promise<boolean> {
  const own = await lockAccountPlan(client, accountId);
  if (own === undefined || own.periodEndsAt > own.now) return false;
  if (own.endsWithPeriod || own.isClosed || isUsedUp(own)) {
    await endPlan(client, own);
    return true;
  }
  // A suspended account is as one whose plan is paused.
  if (own.status !== "active" || own.isSuspended) return false;
  await beginPeriod(client, own, false);
  return true;
}
