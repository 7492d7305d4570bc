/** The answer of `/api/me`: the signed-in user, the account and its points. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { byUser, get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { memberRoles, welcomeWithheldReasons } from "./states";

const meResponse = z.object({
  user: z.object({
    id: answerText,
    email: answerText,
    name: answerText.nullable(),
    isOperator: z.boolean(),
    hasPassword: z.boolean(),
    hasSecondFactor: z.boolean(),
    /** In this account. */
    role: z.enum(memberRoles),
  }),
  account: z.object({
    id: answerText,
    /** Null: the pages show the owner's address. */
    name: answerText.nullable(),
    /** Whether it is the account that ends with the user. */
    isOwn: z.boolean(),
    /** A decimal such as `0.85`. */
    multiplier: answerText,
    modelMultipliers: answerRows(z.object({ model: answerText, multiplier: answerText })),
    /** The available points below which the pages show a notice; null for never. */
    lowBalanceNotice: points.nullable(),
    joinsRetries: z.boolean(),
    /** For how many days what texts ask and are answered is kept; null for not at all. */
    contentDays: z.number().int().nullable(),
    /** Whether sessions of the playground are kept, each for its user. */
    keepsSessions: z.boolean(),
    /**
     * Why the account has no welcome points, or not yet: too many accounts of its address or mail
     * domain, an earlier one of its mailbox, or an unverified email address.
     */
    welcomeWithheld: z.enum(welcomeWithheldReasons).nullable(),
    /** Set while the account is suspended. */
    suspension: z.object({ at: moment, reason: answerText }).nullable(),
  }),
  balance: z.object({ available: points, held: points, openHolds: z.number().int() }),
  statement: z.object({
    toppedUp: points,
    charged: points,
    chargedThisMonth: points,
    takenBack: points,
  }),
});

export const meEndpoints = {
  showMe: {
    ...get("/api/me", byUser("readAccount")),
    sameAs: "getBalance",
    answer: meResponse,
  },
} as const satisfies PageEndpoints;

export type Me = z.infer<typeof meResponse>;
