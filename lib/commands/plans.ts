/** Operators' commands about plans. What changes counts from the next period of each account on. */
import type pg from "pg";
import { type AuditFields, recordAction } from "../accounts/actions";
import { assertScopeOf } from "../accounts/actor-rules";
import { PLANS_MAX } from "../contract/limits";
import { newId } from "../crypto/ids";
import { isCountLimit } from "../db/database-errors";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { type OptionalMembers, withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";
import { checkedPlan, type PlanInput } from "./plan-input";
import { lockGroup } from "./stored-group";

type Deps = Pick<CommandDeps, "pool">;

const priced = ["groupId", "amount", "currency", "advancePeriods", "advanceAmount"] as const;
type Sale = Partial<Pick<PlanInput, (typeof priced)[number]>>;

/** What a plan costs, and the group that it puts accounts into, are prices. */
async function assertMayPrice(
  client: pg.ClientBase,
  actor: string,
  was: Sale,
  is: Sale,
): Promise<void> {
  if (priced.some((one) => (is[one] ?? null) !== (was[one] ?? null)))
    await assertScopeOf(client, actor, "prices:write", "The price or the group of a plan");
}

const told = ({ points, hours, groupId, ...plan }: PlanInput): AuditFields => ({
  name: plan.name,
  note: plan.note,
  group: groupId,
  points: formatPoints(points),
  period: plan.period,
  hours,
  rollover: plan.rolloverPercent,
  amount: plan.amount,
  currency: plan.currency,
  advancePeriods: plan.advancePeriods ?? null,
  advanceAmount: plan.advanceAmount ?? null,
  isOffered: plan.isOffered,
});

const valuesOf = (id: string, plan: PlanInput) => [
  id,
  plan.name,
  plan.note,
  plan.groupId,
  plan.points,
  plan.period,
  plan.hours,
  plan.rolloverPercent * 10_000,
  plan.amount,
  plan.currency,
  plan.isOffered,
  plan.advancePeriods ?? null,
  plan.advanceAmount ?? null,
];

const insert = `
insert into plan (id, name, note, group_id, points, period, hours, rollover_ppm, amount, currency, is_offered,
  advance_periods, advance_amount, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
const update = `
update plan set name = $2, note = $3, group_id = $4, points = $5, period = $6, hours = $7, rollover_ppm = $8, amount = $9,
  currency = $10, is_offered = $11, advance_periods = $12, advance_amount = $13 where id = $1`;
const select = `
select name, note, group_id as "groupId", points, period, hours, rollover_ppm / 10000 as "rolloverPercent", amount, currency,
       advance_periods as "advancePeriods", advance_amount as "advanceAmount", is_offered as "isOffered", retired_at is not null as "isRetired" from plan where id = $1 for update`;

type Row = Omit<PlanInput, "points" | "amount" | "advanceAmount"> & {
  readonly points: string;
  readonly amount: string | null;
  readonly advanceAmount: string | null;
  readonly isRetired: boolean;
};

async function lockTerms(
  client: pg.ClientBase,
  id: string,
): Promise<{ plan: PlanInput; isRetired: boolean }> {
  const { rows } = await client.query<Row>(select, [id]);
  if (rows[0] === undefined)
    throw new RelayError("not_found", { message: `There is no plan ${id.slice(0, 80)}.` });
  const { isRetired, points, amount, advanceAmount, ...plan } = rows[0];
  const numberOf = (text: string | null) => (text === null ? null : Number(text));
  const amounts = { amount: numberOf(amount), advanceAmount: numberOf(advanceAmount) };
  return { plan: { ...plan, ...amounts, points: BigInt(points) }, isRetired };
}

/** Rejects with `invalid_value`, `not_found` for the group, `scope_missing`. */
export async function createPlan(
  { pool }: Deps,
  actor: string,
  input: PlanInput,
): Promise<{ id: string }> {
  const plan = checkedPlan(input);
  const id = newId("plan");
  await inTransaction(pool, async (client) => {
    await assertMayPrice(client, actor, {}, plan);
    if (plan.groupId !== null) await lockGroup(client, plan.groupId, "key share");
    await client.query(insert, [...valuesOf(id, plan), actor]).catch((error: unknown) => {
      if (!isCountLimit(error)) throw error;
      throw invalidValue(
        "name",
        `There are ${PLANS_MAX} plans, and at most ${PLANS_MAX} are allowed.`,
      );
    });
    await recordAction(client, actor, "plan.create", id, { after: told(plan) });
  });
  return { id };
}

/** Changes what is given. Rejects with `not_found`, `invalid_value`, `scope_missing`. */
export async function changePlan(
  { pool }: Deps,
  actor: string,
  { id, ...input }: OptionalMembers<PlanInput> & { id: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { plan: before } = await lockTerms(client, id);
    const plan = checkedPlan({ ...before, ...withoutUndefined(input) });
    await assertMayPrice(client, actor, before, plan);
    if (plan.groupId !== null) await lockGroup(client, plan.groupId, "key share");
    const [was, is] = [told(before), told(plan)];
    if (JSON.stringify(was) === JSON.stringify(is)) return;
    await client.query(update, valuesOf(id, plan));
    await recordAction(client, actor, "plan.change", id, { before: was, after: is });
  });
}

/**
 * No account can join the plan any more; those on it stay. Repeating it changes nothing. Rejects with
 * `not_found`.
 */
export async function retirePlan(
  { pool }: Deps,
  actor: string,
  { id }: { id: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { isRetired } = await lockTerms(client, id);
    if (isRetired) return;
    await client.query("update plan set retired_at = now(), is_offered = false where id = $1", [
      id,
    ]);
    await recordAction(client, actor, "plan.retire", id);
  });
}
