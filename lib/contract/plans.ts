/** Requests to `/api/plan` and their answers: the account's plan and its points that end. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  ID_LENGTH_MAX,
  NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PACKAGE_AMOUNT_MAX,
  PLAN_ADVANCE_MAX,
  PLAN_HOURS_MAX,
} from "./limits";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { shownName } from "./shown-text";
import { accountPlanStates, planPeriods } from "./states";
import { planFailures } from "./topup-states";

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
  /** How many periods are sold at once, and their price in all; null for one at a time only. */
  advancePeriods: z.number().int().min(2).max(PLAN_ADVANCE_MAX).nullable(),
  advanceAmount: z.number().int().min(1).max(PACKAGE_AMOUNT_MAX).nullable(),
  isOffered: z.boolean(),
};

export const plan = z.object({ id: answerText, ...planTerms, note: answerText.nullable(), points });

/**
 * `due`: with the end of the period. `charging`: under way. `retrying`: it failed, and is tried again.
 * `unpaid`: it failed, and a person must pay.
 */
const planPaymentStates = ["due", "charging", "retrying", "unpaid"] as const;

/** What the saved card is charged for the next periods that are not paid, in the currency's smallest unit. */
const nextPayment = z.object({
  amount: z.number().int(),
  currency: answerText,
  /** How many it is for. */
  periods: z.number().int(),
  /** Of each. */
  points,
  state: z.enum(planPaymentStates),
  /** Why the last charge failed. */
  failure: z.enum(planFailures).nullable(),
  retryAt: moment.nullable(),
  /** When the plan ends unless it is paid. */
  unpaidUntil: moment.nullable(),
  card: z.object({ brand: answerText, last4: answerText }).nullable(),
});

/** The plan that the account is on. Null: it is on none. */
export const accountPlan = z
  .object({
    plan,
    status: z.enum(accountPlanStates),
    periodStartsAt: moment,
    periodEndsAt: moment,
    /** The plan of the next period; null: the same one, or none if it ends. */
    next: z.object({ id: answerText, name: answerText }).nullable(),
    /** With the last one that is paid. */
    endsWithPeriod: z.boolean(),
    /** Periods that are paid and have not begun. */
    periodsAhead: z.number().int(),
    /** Null: no card is charged. */
    payment: nextPayment.nullable(),
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

/**
 * `offered`: the plans that people can choose, or pay for if they have a price and `isSold`: otherwise
 * they ask an operator.
 */
const planResponse = z.object({
  current: accountPlan,
  lots,
  offered: answerRows(plan),
  isSold: z.boolean(),
  hasCard: z.boolean(),
});
const planRequest = z.strictObject({ planId: z.string().min(1).max(ID_LENGTH_MAX) });
/** One period, or as many as the plan is sold for at once. */
const payRequest = planRequest.extend({
  periods: z.number().int().min(1).max(PLAN_ADVANCE_MAX).optional(),
});

export const planEndpoints = {
  showPlan: {
    ...get("/api/plan", byUser("readPoints", "points:read")),
    answer: planResponse,
  },
  /** At once if the account is on none, else from the next period on. */
  choosePlan: {
    ...post("/api/plan", byUser("topUp", "points:write")),
    command: "plan set",
    body: planRequest,
    answer: planResponse,
  },
  cancelPlan: {
    ...post("/api/plan/cancel", byUser("topUp", "points:write")),
    command: "plan cancel",
    answer: planResponse,
  },
} as const satisfies PageEndpoints;

export const planPaymentEndpoints = {
  /** Paid on the payment provider's page; the card pays for those that follow. */
  buyPlan: {
    ...post("/api/plan/payment", byUser("buy")),
    noKey: "buyer",
    noCommand: "buyer",
    proof: "recent",
    status: 201,
    body: payRequest,
    answer: z.object({ paymentId: answerText, url: answerText }),
  },
  /** From the next period on, also of the plan that was cancelled. */
  payPlanByCard: {
    ...post("/api/plan/card", byUser("topUp")),
    noKey: "card",
    command: "plan pay-by-card",
    proof: "recent",
    body: payRequest,
    answer: planResponse,
  },
} as const satisfies PageEndpoints;

export type OwnPlanView = z.infer<typeof planResponse>;
export type PlanView = z.infer<typeof plan>;
export type AccountPlanView = z.infer<typeof accountPlan>;
export type LotView = z.infer<typeof lots>[number];
