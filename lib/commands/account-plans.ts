/** Commands about the plan of an account, by an operator or by the account's own people. */
import type pg from "pg";
import { type AuditFields, recordAction } from "../accounts/actions";
import { assertScopeOf } from "../accounts/actor-rules";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import {
  type AccountPlan,
  isOver,
  lockAccountPlan,
  lockPlan,
  type PlanTerms,
} from "../plans/account-plan";
import { dropPaidPeriods, nextPaidPeriod } from "../plans/paid-periods";
import { beginPeriod, beginPlan, endPlan, nothingFailed } from "../plans/plan-events";
import { setRenewal } from "../plans/renewals";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "pool">;
/** Now, or with the period that runs. */
export type PlanMoment = "now" | "period_end";

export function refused(param: string, message: string): never {
  throw invalidValue(param, message);
}

/** Rejects with `not_found`, or `invalid_value` for a closed one. */
export async function assertOpen(client: pg.ClientBase, accountId: string): Promise<void> {
  const { rows } = await client.query<{ status: string }>(
    "select status from account where id = $1 for no key update",
    [accountId],
  );
  const status = rows[0]?.status;
  if (status === undefined)
    throw new RelayError("not_found", { message: "There is no such account." });
  if (status === "closed") refused("account", "A closed account cannot be on a plan.");
}

/** The plan on which an account can be put; for its own people, one that is offered. */
export async function wantedPlan(
  client: pg.ClientBase,
  id: string,
  isOwn: boolean,
): Promise<PlanTerms> {
  const plan = await lockPlan(client, id);
  if (plan === undefined || (isOwn && !plan.isOffered))
    throw new RelayError("not_found", { message: `There is no plan ${id.slice(0, 80)}.` });
  if (plan.isRetired) refused("plan", `The plan ${JSON.stringify(plan.name)} is retired.`);
  return plan;
}

const stateOf = (own: AccountPlan): AuditFields => ({
  plan: own.planId,
  planNext: own.endsWithPeriod ? null : (own.nextPlanId ?? own.planId),
  status: own.status,
  amount: own.renewalAmount === null ? null : Number(own.renewalAmount),
});

/** Changes the account's plan in one transaction, and records what it was and is. */
export function change(
  { pool }: Deps,
  by: { readonly actor: string; readonly accountId: string },
  work: (client: pg.ClientBase, own: AccountPlan | undefined) => Promise<void>,
): Promise<void> {
  const { actor, accountId } = by;
  return inTransaction(pool, async (client) => {
    const own = await lockAccountPlan(client, accountId);
    await work(client, own);
    const after = await lockAccountPlan(client, accountId);
    const [was, is] = [own, after].map((plan) => (plan === undefined ? {} : stateOf(plan)));
    if (JSON.stringify(was) === JSON.stringify(is)) return;
    await recordAction(client, actor, "account.plan", accountId, {
      before: was ?? {},
      after: is ?? { plan: null },
    });
  });
}

interface Wanted {
  readonly accountId: string;
  readonly planId: string;
  readonly when: PlanMoment;
  /** The account's own people choose among the plans that are offered and free. */
  readonly isOwn: boolean;
}

async function chosenPlan(
  client: pg.ClientBase,
  actor: string,
  { planId, isOwn }: Pick<Wanted, "planId" | "isOwn">,
): Promise<PlanTerms> {
  const plan = await wantedPlan(client, planId, isOwn);
  // As `changeAccountGroup`: a group is a price.
  if (plan.groupId !== null)
    await assertScopeOf(client, actor, "prices:write", "A plan with a group");
  if (isOwn && plan.amount !== null)
    refused("plan", `The plan ${JSON.stringify(plan.name)} has a price: pay for it.`);
  return plan;
}

/**
 * Puts an account on a plan: at once if it is on none, else now or from its next period on. The plan
 * that it is on already undoes what was to follow. Put there by an operator, it goes on after the
 * periods that were paid. No card is charged for it. Rejects with `not_found`, `invalid_value`,
 * `scope_missing`.
 */
export async function setAccountPlan(deps: Deps, actor: string, wanted: Wanted): Promise<void> {
  const { accountId, planId, when, isOwn } = wanted;
  await change(deps, { actor, accountId }, async (client, own) => {
    await assertOpen(client, accountId);
    if (own === undefined) {
      const plan = await chosenPlan(client, actor, wanted);
      await beginPlan(client, plan, { id: newId("accountPlan"), accountId, actor });
      return;
    }
    if (isOwn || own.planId !== planId) await chosenPlan(client, actor, wanted);
    if (own.planId === planId && when === "now")
      refused("when", "The account is on this plan already.");
    const nextPlanId = own.planId === planId ? null : planId;
    await setRenewal(client, own.id, null);
    await client.query(
      `update account_plan set next_plan_id = $2, ends_with_period = false,
         periods_left = case when $3 then periods_left end where id = $1`,
      [own.id, nextPlanId, isOwn],
    );
    if (when !== "now") return;
    await beginPeriod(client, { ...own, nextPlanId }, true);
    await dropPaidPeriods(client, own.id, planId);
  });
}

export const noPlan = () => new RelayError("not_found", { message: "The account is on no plan." });

/**
 * Ends the plan, now or with the periods that are paid; no card is charged any more. Points of it that
 * are left end with it. Repeating it changes nothing. Rejects with `not_found`.
 */
export function cancelAccountPlan(
  deps: Deps,
  actor: string,
  { accountId, when }: { readonly accountId: string; readonly when: PlanMoment },
): Promise<void> {
  return change(deps, { actor, accountId }, async (client, own) => {
    if (own === undefined) throw noPlan();
    // Of one whose plan is paused or not paid, the period that is over was the last one.
    const isAfter = own.periodEndsAt <= own.now && own.periodsPaid === 0;
    if (when === "now" || isAfter) return endPlan(client, own);
    await setRenewal(client, own.id, null);
    await client.query(
      "update account_plan set ends_with_period = true, next_plan_id = null where id = $1",
      [own.id],
    );
  });
}

/**
 * No period follows until it is resumed, and none is to be paid: what failed before is no longer due.
 * Rejects with `not_found`.
 */
export function pauseAccountPlan(
  deps: Deps,
  actor: string,
  { accountId }: { readonly accountId: string },
): Promise<void> {
  return change(deps, { actor, accountId }, async (client, own) => {
    if (own === undefined) throw noPlan();
    await client.query(
      `update account_plan set status = 'paused', ${nothingFailed} where id = $1`,
      [own.id],
    );
  });
}

/**
 * Continues the period. If it is over, the next one begins, unless that must be paid by card first.
 * Rejects with `not_found`.
 */
export function resumeAccountPlan(
  deps: Deps,
  actor: string,
  { accountId }: { readonly accountId: string },
): Promise<void> {
  return change(deps, { actor, accountId }, async (client, own) => {
    if (own === undefined) throw noPlan();
    if (own.status !== "paused") return;
    await client.query("update account_plan set status = 'active' where id = $1", [own.id]);
    if (own.periodEndsAt > own.now) return;
    if (isOver(own)) await endPlan(client, own);
    else if (!own.awaitsPayment)
      await beginPeriod(client, own, true, await nextPaidPeriod(client, own.id));
  });
}
