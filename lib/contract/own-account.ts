/**
 * What a key may read of its own account, and the quote of a request. All points are decimal
 * numbers.
 */
import { z } from "zod";
import { day, openObject } from "./bounds";
import { heldLimits, memberBudgets } from "./held-limits";
import { keyLimits } from "./key-limits";
import { billedLine } from "./rate-fields";
import { summaryGroups } from "./states";
import { tagFilter, tagName } from "./tags";

export const balanceResponse = z.object({
  available_points: z.number().describe("The points that can be spent now"),
  held_points: z.number().describe("The points held for running requests"),
});

const dayOfUtc = day.describe("A day in UTC, such as 2026-01-31");

export const usageQuery = z
  .strictObject({
    from: dayOfUtc.optional().describe("First day, in UTC; default: 29 days before the last day"),
    to: dayOfUtc.optional().describe("Last day, in UTC, inclusive; default: today"),
    group_by: z.enum(summaryGroups).optional().meta({
      default: "day",
      description:
        "What each row sums up. By key, member or tag, or with tags: what the maker of the key ordered; all of the account where the maker's role reads every result",
    }),
    group_tag: tagName
      .optional()
      .describe("The name of the tag by whose values the rows are, where group_by is tag"),
    tags: tagFilter
      .optional()
      .describe(
        "Only requests with these tags, such as team=a, job=7; team= for those without it. With tags, or by tag, a request counts on the day it was sent; not by member",
      ),
  })
  .refine(({ group_by: by, group_tag: name }) => (by === "tag") === (name !== undefined), {
    path: ["group_tag"],
    message: "it goes with `group_by=tag`, which needs it",
  })
  .refine(({ group_by: by, tags }) => by !== "member" || tags === undefined, {
    path: ["tags"],
    message: "it does not go with `group_by=member`",
  });

const sums = {
  requests: z.int().describe("The number of charged requests"),
  input_tokens: z.int().describe("Their input tokens"),
  output_tokens: z.int().describe("Their output tokens"),
  points: z.number().describe("What they cost"),
};

export const usageResponse = z.object({
  from: day.describe("The first day"),
  to: day.describe("The last day, inclusive"),
  group_by: z.enum(summaryGroups).describe("What one row sums up"),
  data: z
    .array(
      z.object({
        day: day.optional().describe("The day, where the rows are days"),
        model: z.string().optional().describe("The model, where the rows are models"),
        key: z
          .string()
          .nullable()
          .optional()
          .describe("The key's id; null for requests without a key"),
        key_name: z.string().nullable().optional().describe("The name of the key"),
        member: z
          .string()
          .nullable()
          .optional()
          .describe("The id of the user who made the key or used the playground; null: not known"),
        member_email: z
          .string()
          .nullable()
          .optional()
          .describe(
            "The user's address; null once erased, and for a management key without members:read",
          ),
        tag: z
          .string()
          .nullable()
          .optional()
          .describe("The value of the tag; null for requests without it"),
        ...sums,
      }),
    )
    .describe("The rows; a row without requests is left out"),
  total: z.object(sums).describe("The sum of all rows"),
});
export type UsageQuery = z.infer<typeof usageQuery>;
export type UsageResponse = z.infer<typeof usageResponse>;

export const keyResponse = z.object({
  id: z.string().describe("The id of the key"),
  name: z.string().describe("The name of the key"),
  hint: z.string().describe("The first and last characters of the key"),
  created_at: z.int().describe("When the key was created, in epoch seconds"),
  expires_at: z.int().nullable().describe("When it expires, in epoch seconds; null: never"),
  ...keyLimits,
  spent_points: z.number().describe("The points that the key has spent"),
  held_points: z.number().describe("The points held for its running requests"),
  remaining_points: z
    .number()
    .nullable()
    .describe("The points left of the budget; null without a budget"),
  ...heldLimits,
  member_budgets: memberBudgets.recurring_budgets.describe(
    "The budgets of the member who made the key, over all that the member orders",
  ),
  callback_secret: z
    .string()
    .describe(
      "The secret for checking the signatures of callbacks (Standard Webhooks) of what this key orders; each key has another, and that of a revoked key signs nothing",
    ),
});

export const quoteRequest = openObject({
  endpoint: z
    .string()
    .min(1)
    .max(200)
    .describe(
      "The endpoint's name or path, such as createChatCompletion or /v1/chat/completions; beside it stand the fields of that endpoint's body",
    ),
});

export const quoteResponse = z.object({
  hold_points: z
    .number()
    .describe("The points that the request would hold; the charge is never higher"),
  estimate_points: z.number().describe("The expected charge in points"),
  tokens: z
    .object({
      input: z.int().describe("Input tokens"),
      output: z.int().describe("Output tokens"),
    })
    .describe("The expected tokens"),
  price: z
    .object({
      input: z.number().nullable().describe("For input; null where it is not charged"),
      output: z.number().describe("For output"),
    })
    .describe("The list price in points per million tokens"),
  lines: z
    .array(billedLine)
    .describe("What the expected charge counts: the sum of quantity × rate, times the multiplier"),
  multiplier: z.number().describe("The factor from the list price to your account's price"),
  normalized: z.record(z.string(), z.unknown()).describe("The request as it would be executed"),
});
export type QuoteResponse = z.infer<typeof quoteResponse>;
