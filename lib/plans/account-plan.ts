import type pg from "pg";
import type { AccountPlanState, PlanPeriod } from "../contract/states";
import { awaitsPayment, periodsPaid } from "./paid-periods";

export interface PlanTerms {
  readonly id: string;
  readonly name: string;
  readonly groupId: string | null;
  /** Micropoints, as text. */
  readonly points: string;
  readonly period: PlanPeriod;
  readonly hours: number | null;
  readonly rolloverPpm: number;
  /** In the currency's smallest unit, as text; null: it is free. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** How many periods are sold at once, and for how much, as text; null for one at a time only. */
  readonly advancePeriods: number | null;
  readonly advanceAmount: string | null;
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
  /** Paid by card, and not begun. */
  readonly periodsPaid: number;
  /** What the saved card is charged for the next period, as text; null: nothing. */
  readonly renewalAmount: string | null;
  /** No period follows before it is paid by card. */
  readonly awaitsPayment: boolean;
  /** When it ends because it is not paid. */
  readonly unpaidUntil: Date | null;
  readonly groupBefore: string | null;
  readonly isClosed: boolean;
  readonly isSuspended: boolean;
  /** By the clock of the database. */
  readonly now: Date;
}

const planQuery = `
select id, name, group_id as "groupId", points, period, hours, rollover_ppm as "rolloverPpm", amount, currency,
       advance_periods as "advancePeriods", advance_amount as "advanceAmount",
       is_offered as "isOffered", retired_at is not null as "isRetired"
  from plan where id = $1 for share`;

/** The plan, which does not change until the transaction ends; undefined if there is none. */
export async function lockPlan(client: pg.ClientBase, id: string): Promise<PlanTerms | undefined> {
  return (await client.query<PlanTerms>(planQuery, [id])).rows[0];
}

/** As `lockPlan`, of one that exists. */
export async function planOf(client: pg.ClientBase, id: string): Promise<PlanTerms> {
  const plan = await lockPlan(client, id);
  if (plan === undefined) throw new Error(`there is no plan ${id}`);
  return plan;
}

const currentQuery = `
select p.id, p.account_id as "accountId", p.plan_id as "planId", p.next_plan_id as "nextPlanId", p.status, p.anchor_at as "anchorAt",
       p.anchor_number as "anchorNumber", p.number, p.period_ends_at as "periodEndsAt", p.ends_with_period as "endsWithPeriod", p.periods_left as "periodsLeft",
       ${periodsPaid("p")} as "periodsPaid", p.renewal_amount as "renewalAmount", ${awaitsPayment("p")} as "awaitsPayment", p.unpaid_until as "unpaidUntil",
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

/** As `lockAccountPlan`, but does not wait: undefined also where another process changes the plan. */
export async function tryAccountPlan(
  client: pg.ClientBase,
  accountId: string,
): Promise<AccountPlan | undefined> {
  const { rows } = await client.query<{ isFree: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 7275641)) as "isFree"',
    [accountId],
  );
  return rows[0]?.isFree === true ? lockAccountPlan(client, accountId) : undefined;
}

/** All periods that were paid are over, no card is charged for another, and no other plan follows. */
const isUsedUp = (own: AccountPlan) =>
  own.periodsLeft === 0 &&
  own.periodsPaid === 0 &&
  own.nextPlanId === null &&
  own.renewalAmount === null;

/** It was cancelled, or given up as unpaid, or its paid periods are over. */
export const isOver = (own: AccountPlan) =>
  (own.endsWithPeriod && own.periodsPaid === 0) ||
  isUsedUp(own) ||
  (own.awaitsPayment && own.unpaidUntil !== null && own.unpaidUntil <= own.now);
