/** Requests of the operators' pages about plans to `/api/admin/…`, and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { ID_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { accountPlan, lots, plan, planTerms } from "./plans";

const id = z.string().min(1).max(ID_LENGTH_MAX);

const operatorPlan = plan.extend({
  group: z.object({ id: answerText, name: answerText }).nullable(),
  isRetired: z.boolean(),
  accounts: z.number().int(),
  /** The number of those whose next period could not be paid. */
  unpaidCount: z.number().int(),
  /** The first of them, of those that end soonest. */
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
  advancePeriods: terms.advancePeriods.default(null),
  advanceAmount: terms.advanceAmount.default(null),
  isOffered: terms.isOffered.default(false),
});

/** `period_end`: with the period that runs. */
const when = z.enum(["now", "period_end"]).default("period_end");
const accountPlanResponse = z.object({ current: accountPlan, lots });

const ofAccount = { proof: "recent", answer: accountPlanResponse } as const;

export const operatorPlanEndpoints = {
  listPlans: {
    ...get("/api/admin/plans", byOperator("money:read")),
    command: "plan list",
    answer: plansResponse,
  },
  createPlan: {
    ...post("/api/admin/plans", byOperator("points:write")),
    proof: "recent",
    command: "plan create",
    body: createRequest,
    answer: plansResponse,
  },
  changePlan: {
    ...post("/api/admin/plans/{id}", byOperator("points:write")),
    proof: "recent",
    command: "plan change",
    body: z.strictObject(terms).partial(),
    answer: plansResponse,
  },
  retirePlan: {
    ...post("/api/admin/plans/{id}/retire", byOperator("points:write")),
    proof: "recent",
    command: "plan retire",
    answer: plansResponse,
  },
  showAccountPlan: {
    ...get("/api/admin/accounts/{id}/plan", byOperator("accounts:read")),
    command: "plan show",
    answer: accountPlanResponse,
  },
  setAccountPlan: {
    ...ofAccount,
    ...post("/api/admin/accounts/{id}/plan", byOperator("points:write")),
    command: "plan set",
    body: z.strictObject({ planId: id, when }),
  },
  cancelAccountPlan: {
    ...ofAccount,
    ...post("/api/admin/accounts/{id}/plan/cancel", byOperator("points:write")),
    command: "plan cancel",
    body: z.strictObject({ when }),
  },
  pauseAccountPlan: {
    ...ofAccount,
    ...post("/api/admin/accounts/{id}/plan/pause", byOperator("points:write")),
    command: "plan pause",
  },
  resumeAccountPlan: {
    ...ofAccount,
    ...post("/api/admin/accounts/{id}/plan/resume", byOperator("points:write")),
    command: "plan resume",
  },
} as const satisfies PageEndpoints;

export type OperatorPlanView = z.infer<typeof operatorPlan>;
