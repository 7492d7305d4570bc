/**
 * Requests to `/api/auto-topup` and their answers: the saved card, and the terms on which it is
 * charged. Amounts of money are in the currency's smallest unit.
 */
import { z } from "zod";
import { answerText } from "./bounds";
import { AUTO_TOPUP_MONTH_MAX, ID_LENGTH_MAX } from "./limits";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { topupPauses } from "./topup-states";

/** What automatic top-up does now. `pending`: a charge is under way. */
const autoTopupStates = [
  "no_card",
  "off",
  "on",
  "pending",
  "retry",
  "month_reached",
  "paused",
  "switched_off",
] as const;

const autoTopup = z.object({
  state: z.enum(autoTopupStates),
  card: z.object({ brand: answerText, last4: answerText, expires: answerText }).nullable(),
  /** Why it is paused. */
  paused: z.enum(topupPauses).nullable(),
  /** As agreed to; null before. */
  terms: z
    .object({
      packageId: answerText,
      packageName: answerText,
      points,
      amount: z.number().int(),
      currency: answerText,
      threshold: points,
      monthMax: z.number().int(),
      /** What was charged automatically in this month (UTC). */
      monthCharged: z.number().int(),
    })
    .nullable(),
});

const setRequest = z.strictObject({
  packageId: z.string().min(1).max(ID_LENGTH_MAX),
  threshold: pointsInput,
  monthMax: z.int().min(1).max(AUTO_TOPUP_MONTH_MAX),
});
const pageOfStripe = z.object({ url: answerText });

export const autoTopupEndpoints = {
  showAutoTopup: {
    ...get("/api/auto-topup", byUser("readPoints", "points:read")),
    command: "auto-topup show",
    answer: autoTopup,
  },
  setAutoTopup: {
    ...post("/api/auto-topup", byUser("buy")),
    noKey: "card",
    command: "auto-topup set",
    proof: "recent",
    body: setRequest,
    answer: autoTopup,
  },
  stopAutoTopup: {
    ...post("/api/auto-topup/off", byUser("topUp", "points:write")),
    command: "auto-topup off",
    answer: autoTopup,
  },
  saveCard: {
    ...post("/api/auto-topup/card", byUser("buy")),
    noKey: "card",
    noCommand: "card",
    proof: "recent",
    status: 201,
    answer: pageOfStripe,
  },
  checkCard: {
    ...post("/api/auto-topup/card/{id}/check", byUser("topUp")),
    noKey: "card",
    command: "auto-topup sweep",
    answer: autoTopup,
  },
  removeCard: {
    ...post("/api/auto-topup/card-removal", byUser("topUp", "points:write")),
    command: "auto-topup remove-card",
    answer: autoTopup,
  },
  confirmCard: {
    ...post("/api/auto-topup/confirmation", byUser("buy")),
    noKey: "card",
    noCommand: "card",
    proof: "recent",
    status: 201,
    answer: pageOfStripe,
  },
} as const satisfies PageEndpoints;

export type AutoTopupView = z.infer<typeof autoTopup>;
export type SetAutoTopup = z.infer<typeof setRequest>;
