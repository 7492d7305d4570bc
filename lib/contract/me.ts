/** What `/api/me` tells of the person signed in, the account and its points. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { points } from "./points";
import { welcomeWithheldReasons } from "./states";

export const meResponse = z.object({
  user: z.object({ id: answerText, email: answerText, name: answerText.nullable(), isOperator: z.boolean(), hasPassword: z.boolean() }),
  account: z.object({
    id: answerText,
    /** Decimal text such as `0.85`. */
    multiplier: answerText,
    modelMultipliers: answerRows(z.object({ model: answerText, multiplier: answerText })),
    /** Available points below which the pages say so; null: never. */
    lowBalanceNotice: points.nullable(),
    joinsRetries: z.boolean(),
    /** Why it has no welcome points, or not yet: too many accounts of its address or mail domain, or its mail address is not proved. */
    welcomeWithheld: z.enum(welcomeWithheldReasons).nullable(),
    /** Set while the account may not work. */
    suspension: z.object({ at: moment, reason: answerText }).nullable(),
  }),
  balance: z.object({ available: points, held: points, openHolds: z.number().int() }),
  statement: z.object({ toppedUp: points, charged: points, chargedThisMonth: points, takenBack: points }),
});

export type Me = z.infer<typeof meResponse>;
