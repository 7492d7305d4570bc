/** Requests to `/api/plan` and their answers: the account's plan and its points that end. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  ID_LENGTH_MAX,
  NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PACKAGE_AMOUNT_MAX,
  PLAN_HOURS_MAX,
} from "./limits";
import type { PageEndpoints } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { shownName } from "./shown-text";
import { accountPlanStates, planPeriods } from "./states";

export const planTerms = {
  name: shownName(NAME_LENGTH_MAX),
  note: shownName(NOTE_LENGTH_MAX).nullable(),
  /** For each period. */
  points: pointsInput,
  period: z.enum(planPeriods),
  /** Of a period of hours; null for the others. */
  hours: z.number().int().min(1).max(PLAN_HOURS_MAX).nullable(),
  /** What of the points that are left goes on into the next period. */
  rolloverPercent: z.number().int().min(0).max(100),
  /** In the smallest unit of the currency; null for a plan that is free. */
  amount: z.number().int().min(1).max(PACKAGE_AMOUNT_MAX).nullable(),
  currency: z
    .string()
    .max(3)
    .regex(/^[a-z]{3}$/, "it must be three lower-case letters, such as eur")
    .nullable(),
  isOffered: z.boolean(),
};

export const plan = z.object({ id: answerText, ...planTerms, note: answerText.nullable(), points });

/** The plan that the account is on. Null: it is on none. */
export const accountPlan = z
  .object({
    plan,
    status: z.enum(accountPlanStates),
    periodStartsAt: moment,
    periodEndsAt: moment,
    /** The plan of the next period; null: the same one, or none if it ends. */
    next: z.object({ id: answerText, name: answerText }).nullable(),
    endsWithPeriod: z.boolean(),
  })
  .nullable();

/** Points that end, in the order in which they are used. All others have no end. */
export const lots = answerRows(
  z.object({
    id: answerText,
    /** Why they were given: the name of a plan. */
    reason: answerText,
    given: points,
    left: points,
    /** What open requests hold of them. */
    held: points,
    endsAt: moment,
  }),
);

/** `offered`: the plans that people can choose, or ask for if they have a price. */
const planResponse = z.object({ current: accountPlan, lots, offered: answerRows(plan) });

export const planEndpoints = {
  showPlan: {
    method: "GET",
    path: "/api/plan",
    permission: "readPoints",
    scope: "points:read",
    who: "user",
    answer: planResponse,
  },
  /** At once if the account is on none, else from the next period on. */
  choosePlan: {
    method: "POST",
    path: "/api/plan",
    permission: "topUp",
    scope: "points:write",
    command: "plan set",
    who: "user",
    body: z.strictObject({ planId: z.string().min(1).max(ID_LENGTH_MAX) }),
    answer: planResponse,
  },
  cancelPlan: {
    method: "POST",
    path: "/api/plan/cancel",
    permission: "topUp",
    scope: "points:write",
    command: "plan cancel",
    who: "user",
    answer: planResponse,
  },
} as const satisfies PageEndpoints;

export type PlanView = z.infer<typeof plan>;
export type AccountPlanView = z.infer<typeof accountPlan>;
export type LotView = z.infer<typeof lots>[number];
