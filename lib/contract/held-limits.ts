/** The limits of a key that the ledger holds, in the words of the API. */
import { z } from "zod";
import { KEY_RUNNING_MAX, KEY_TOKENS_MAX, POINTS_MAX, ZONE_LENGTH_MAX } from "./limits";
import { budgetPeriods } from "./states";

const recurringBudgets = (whose: string) =>
  z
    .array(
      z.object({
        period: z.enum(budgetPeriods).describe("How often it renews"),
        budget_points: z.number().describe(`The points that the ${whose} may spend in one period`),
        spent_points: z.number().describe("The points that were spent in this one"),
        held_points: z.number().describe("The points held for what was requested in this one"),
        remaining_points: z.number().describe("The points left of the budget"),
        zone: z.string().describe("The time zone in whose midnight it renews"),
        renews_at: z.int().describe("When it renews, in epoch seconds"),
      }),
    )
    .describe("The budgets that renew");
export const memberBudgets = { recurring_budgets: recurringBudgets("member") };

export const heldLimits = {
  recurring_budgets: recurringBudgets("key"),
  concurrent_requests_max: z
    .int()
    .nullable()
    .describe("The most requests that hold points at once; null for no limit of its own"),
  concurrent_requests: z
    .int()
    .nullable()
    .describe("Its requests that hold points now; null without such a limit"),
  tokens_per_minute: z
    .int()
    .nullable()
    .describe("The tokens in a minute after which requests are refused; null for no limit"),
  remaining_tokens: z
    .int()
    .nullable()
    .describe("The tokens left of this minute; null without such a limit"),
};
export type HeldLimitsView = z.infer<z.ZodObject<typeof heldLimits>>;

const budget = (whose: string, period: string) =>
  z
    .number()
    .min(0)
    .max(POINTS_MAX)
    .nullable()
    .optional()
    .describe(
      `The points that the ${whose} may spend in a ${period} of the zone; null for no limit`,
    );

const givenBudgets = (whose: string) => ({
  day_budget_points: budget(whose, "day"),
  week_budget_points: budget(whose, "week"),
  month_budget_points: budget(whose, "month"),
  budget_zone: z.string().min(1).max(ZONE_LENGTH_MAX).optional().meta({
    default: "UTC",
    description: "The IANA time zone in whose midnight these budgets renew, such as Europe/Berlin",
  }),
});
export const givenMemberBudgets = givenBudgets("member");

export const givenHeldLimits = {
  ...givenBudgets("key"),
  concurrent_requests_max: z
    .int()
    .min(1)
    .max(KEY_RUNNING_MAX)
    .nullable()
    .optional()
    .describe("The most requests that hold points at once; null for no limit of its own"),
  tokens_per_minute: z
    .int()
    .min(1)
    .max(KEY_TOKENS_MAX)
    .nullable()
    .optional()
    .describe("The tokens in a minute after which requests are refused; null for no limit"),
};
