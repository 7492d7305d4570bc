/** Requests of the operators' pages about plans to `/api/admin/…`, and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { ID_LENGTH_MAX } from "./limits";
import type { PageEndpoints } from "./page-endpoint";
import { accountPlan, lots, plan, planTerms } from "./plans";

const id = z.string().min(1).max(ID_LENGTH_MAX);

const operatorPlan = plan.extend({
  group: z.object({ id: answerText, name: answerText }).nullable(),
  isRetired: z.boolean(),
  /** The number of accounts that are on it. */
  accounts: z.number().int(),
  /** Those whose next period could not be paid, the first of those that end soonest. */
  unpaid: answerRows(
    z.object({ accountId: answerText, email: answerText.nullable(), until: moment }),
  ),
});
const plansResponse = z.object({ plans: answerRows(operatorPlan) });
/** `groupId` null: an account stays in its group. */
const terms = { ...planTerms, groupId: id.nullable() };
const createRequest = z.strictObject({
  ...terms,
  rolloverPercent: terms.rolloverPercent.default(0),
  isOffered: terms.isOffered.default(false),
});

/** `period_end`: with the period that runs. */
const when = z.enum(["now", "period_end"]).default("period_end");
const accountPlanResponse = z.object({ current: accountPlan, lots });

const write = { method: "POST", who: "operator", proof: "recent" } as const;
const ofAccount = { ...write, answer: accountPlanResponse } as const;

export const operatorPlanEndpoints = {
  listPlans: {
    method: "GET",
    path: "/api/admin/plans",
    scope: "money:read",
    who: "operator",
    command: "plan list",
    answer: plansResponse,
  },
  createPlan: {
    ...write,
    path: "/api/admin/plans",
    scope: "points:write",
    command: "plan create",
    body: createRequest,
    answer: plansResponse,
  },
  changePlan: {
    ...write,
    path: "/api/admin/plans/{id}",
    scope: "points:write",
    command: "plan change",
    body: z.strictObject(terms).partial(),
    answer: plansResponse,
  },
  retirePlan: {
    ...write,
    path: "/api/admin/plans/{id}/retire",
    scope: "points:write",
    command: "plan retire",
    answer: plansResponse,
  },
  showAccountPlan: {
    method: "GET",
    path: "/api/admin/accounts/{id}/plan",
    scope: "accounts:read",
    who: "operator",
    command: "plan show",
    answer: accountPlanResponse,
  },
  setAccountPlan: {
    ...ofAccount,
    path: "/api/admin/accounts/{id}/plan",
    scope: "points:write",
    command: "plan set",
    body: z.strictObject({ planId: id, when }),
  },
  cancelAccountPlan: {
    ...ofAccount,
    path: "/api/admin/accounts/{id}/plan/cancel",
    scope: "points:write",
    command: "plan cancel",
    body: z.strictObject({ when }),
  },
  pauseAccountPlan: {
    ...ofAccount,
    path: "/api/admin/accounts/{id}/plan/pause",
    scope: "points:write",
    command: "plan pause",
  },
  resumeAccountPlan: {
    ...ofAccount,
    path: "/api/admin/accounts/{id}/plan/resume",
    scope: "points:write",
    command: "plan resume",
  },
} as const satisfies PageEndpoints;

export type OperatorPlanView = z.infer<typeof operatorPlan>;
