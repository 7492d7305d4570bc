/** Plans, the plan of an account, and its points that end. Read-only. */
import type { z } from "zod";
import type { OperatorPlanView } from "../contract/operator-plans";
import type { accountPlan, lots, PlanView } from "../contract/plans";
import type { AccountPlanState } from "../contract/states";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { periodsPaid } from "../plans/paid-periods";
import { ownerEmail } from "./owner-email";

interface Deps {
  readonly pool: Reader;
}
type Lots = z.input<typeof lots>;
type AccountPlan = z.input<typeof accountPlan>;

type PlanRow = Omit<PlanView, "points" | "amount" | "advanceAmount"> & {
  readonly points: string;
  readonly amount: string | null;
  readonly advanceAmount: string | null;
};

const planColumns = `
  p.id, p.name, p.note, p.points, p.period, p.hours, p.rollover_ppm / 10000 as "rolloverPercent", p.amount, p.currency,
  p.advance_periods as "advancePeriods", p.advance_amount as "advanceAmount", p.is_offered as "isOffered"`;

const planOf = <Row extends PlanRow>({ points, amount, advanceAmount, ...row }: Row) => ({
  ...row,
  points: formatPoints(BigInt(points)),
  amount: amount === null ? null : Number(amount),
  advanceAmount: advanceAmount === null ? null : Number(advanceAmount),
});

/** Of a plan that many do not pay, the operators are shown so many, and the number of all. */
export const UNPAID_SHOWN = 20;
const unpaidOf =
  "from account_plan a where a.plan_id = p.id and a.status <> 'ended' and a.failure is not null and a.unpaid_until is not null";
const unpaidAccounts = `
  (select coalesce(json_agg(json_build_object('accountId', u.account_id, 'email', ${ownerEmail("u.account_id")}, 'until', u.unpaid_until) order by u.unpaid_until), '[]')
     from (select a.account_id, a.unpaid_until ${unpaidOf} order by a.unpaid_until limit ${UNPAID_SHOWN}) u)`;

const allQuery = `
select ${planColumns}, p.retired_at is not null as "isRetired",
       case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as "group",
       (select count(*)::integer from account_plan a where a.plan_id = p.id and a.status <> 'ended') as accounts,
       (select count(*)::integer ${unpaidOf}) as "unpaidCount", ${unpaidAccounts} as unpaid
  from plan p left join account_group g on g.id = p.group_id order by p.retired_at is not null, lower(p.name), p.id`;

/** All of them by name, those that are retired last. */
export async function listPlans({ pool }: Deps): Promise<OperatorPlanView[]> {
  type Row = PlanRow & Omit<OperatorPlanView, keyof PlanView>;
  const { rows } = await pool.query<Row>(allQuery);
  return rows.map(({ unpaid, ...row }) => ({
    ...planOf(row),
    unpaid: unpaid.map(({ until, ...each }) => ({ ...each, until: new Date(until).toISOString() })),
  }));
}

/** The plan of a name, in whatever case, or of an id. Rejects with `not_found`. */
export async function findPlan(deps: Deps, named: string): Promise<OperatorPlanView> {
  const plans = await listPlans(deps);
  const wanted = named.trim().toLowerCase();
  const found = plans.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = plans.map(({ name }) => name).join(", ") || "none";
  const message = `There is no plan ${JSON.stringify(named.slice(0, 80))}. There are: ${names}.`;
  throw new RelayError("not_found", { message });
}

const offeredQuery = `select ${planColumns} from plan p where p.is_offered and p.retired_at is null order by p.points, lower(p.name)`;

/** The plans that people see, the smallest first. */
export async function listOfferedPlans({ pool }: Deps): Promise<PlanView[]> {
  return (await pool.query<PlanRow>(offeredQuery)).rows.map(planOf);
}

/** `a`: `account_plan`. */
const paymentOf = `
  case when a.renewal_amount is not null then json_build_object('amount', a.renewal_amount, 'currency', a.renewal_currency,
    'periods', a.renewal_periods, 'points', a.renewal_points::text, 'failure', a.failure, 'retryAt', a.retry_at, 'unpaidUntil', a.unpaid_until,
    'state', case when exists (select from auto_topup_charge c where c.account_plan_id = a.id and c.ended_at is null) then 'charging'
      when a.failure is null then 'due' when a.failures = 0 or a.retry_at is not null then 'retrying' else 'unpaid' end,
    'card', (select json_build_object('brand', t.card_brand, 'last4', t.card_last4) from auto_topup t
      where t.account_id = a.account_id and t.card_id is not null)) end`;

const currentQuery = `
select ${planColumns}, a.status, a.period_starts_at as "periodStartsAt", a.period_ends_at as "periodEndsAt", 
       a.ends_with_period or (coalesce(a.periods_left = 0, false) and a.next_plan_id is null and a.renewal_amount is null) as "endsWithPeriod",
       case when a.ends_with_period then 0 else coalesce(a.periods_left, 0) end + ${periodsPaid("a")} as "periodsAhead", ${paymentOf} as payment,
       case when n.id is not null then json_build_object('id', n.id, 'name', n.name) end as next
  from account_plan a join plan p on p.id = a.plan_id left join plan n on n.id = a.next_plan_id
 where a.account_id = $1 and a.status <> 'ended'`;

type NextPayment = NonNullable<NonNullable<AccountPlan>["payment"]>;
/** As JSON has them. */
type PaymentRow = NextPayment & { readonly points: string };

const timeOf = (time: string | null) => (time === null ? null : new Date(time).toISOString());

const paymentView = (row: PaymentRow): NextPayment => ({
  ...row,
  points: formatPoints(BigInt(row.points)),
  retryAt: timeOf(row.retryAt),
  unpaidUntil: timeOf(row.unpaidUntil),
});

type CurrentRow = PlanRow & {
  readonly status: AccountPlanState;
  readonly periodStartsAt: Date;
  readonly periodEndsAt: Date;
  readonly endsWithPeriod: boolean;
  readonly periodsAhead: number;
  readonly payment: PaymentRow | null;
  readonly next: { readonly id: string; readonly name: string } | null;
};

interface LotRow {
  readonly id: string;
  readonly reason: string;
  readonly amount: string;
  readonly left: string;
  readonly held: string;
  readonly endsAt: Date;
}

/** An account has few that are not used up; the earliest ones are shown. */
const LOTS_SHOWN = 100;
const lotsQuery = `
select l.id, e.reason, l.amount, l.left_now as left, l.held_now as held, l.ends_at as "endsAt"
  from point_lot_now l join ledger_entry e on e.id = l.entry_id
 where l.account_id = $1 and l.left_now > 0 order by l.ends_at, l.id limit ${LOTS_SHOWN}`;

/** The plan that an account is on, null for none, and its points that end. */
export async function showAccountPlan(
  { pool }: Deps,
  { accountId }: { readonly accountId: string },
): Promise<{ current: AccountPlan; lots: Lots }> {
  const [plans, left] = await Promise.all([
    pool.query<CurrentRow>(currentQuery, [accountId]),
    pool.query<LotRow>(lotsQuery, [accountId]),
  ]);
  const lotViews = left.rows.map(({ amount, left: isLeft, held, endsAt, ...lot }) => ({
    ...lot,
    given: formatPoints(BigInt(amount)),
    left: formatPoints(BigInt(isLeft)),
    held: formatPoints(BigInt(held)),
    endsAt: endsAt.toISOString(),
  }));
  const [row] = plans.rows;
  if (row === undefined) return { current: null, lots: lotViews };
  const { status, periodStartsAt, periodEndsAt, ...more } = row;
  const { endsWithPeriod, periodsAhead, payment, next, ...plan } = more;
  const current = {
    plan: planOf(plan),
    status,
    periodStartsAt: periodStartsAt.toISOString(),
    periodEndsAt: periodEndsAt.toISOString(),
    next,
    endsWithPeriod,
    periodsAhead,
    payment: payment === null ? null : paymentView(payment),
  };
  return { current, lots: lotViews };
}

/** Whether a card is saved that can pay for a plan. */
export async function hasSavedCard({ pool }: Deps, accountId: string): Promise<boolean> {
  const found = "select from auto_topup where account_id = $1 and card_id is not null";
  return (await pool.query(found, [accountId])).rowCount === 1;
}

const shownQuery = `
select exists (select from plan where is_offered and retired_at is null)
    or exists (select from account_plan where account_id = $1 and status <> 'ended')
    or exists (select from point_lot where account_id = $1 and left_amount > 0) as "isShown"`;

/** Whether the account is on a plan, has points that end, or can choose a plan. */
export async function hasPlanToShow({ pool }: Deps, accountId: string): Promise<boolean> {
  const { rows } = await pool.query<{ isShown: boolean }>(shownQuery, [accountId]);
  return rows[0]?.isShown === true;
}
