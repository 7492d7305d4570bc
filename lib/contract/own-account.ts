/**
 * What a key may read of its own account, and the quote of a request. All points are decimal
 * numbers.
 */
import { z } from "zod";
import { day, openObject } from "./bounds";
import { usageGroups } from "./states";

export const balanceResponse = z.object({
  available_points: z.number().describe("The points that can be spent now"),
  held_points: z.number().describe("The points held for running requests"),
});

const dayOfUtc = day.describe("A day in UTC, such as 2026-01-31");

export const usageQuery = z.strictObject({
  from: dayOfUtc.optional().describe("First day, in UTC; default: 29 days before the last day"),
  to: dayOfUtc.optional().describe("Last day, in UTC, inclusive; default: today"),
  group_by: z.enum(usageGroups).optional().describe("What each row sums up; default: day"),
});

const sums = {
  requests: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  points: z.number(),
};

export const usageResponse = z.object({
  from: day,
  to: day,
  group_by: z.enum(usageGroups),
  data: z.array(
    z.object({
      day: day.optional(),
      model: z.string().optional(),
      key: z
        .string()
        .nullable()
        .optional()
        .describe("The key's id; null for requests without a key"),
      key_name: z.string().nullable().optional(),
      ...sums,
    }),
  ),
  total: z.object(sums),
});
export type UsageResponse = z.infer<typeof usageResponse>;

export const keyResponse = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("The first and last characters of the key"),
  created_at: z.int().describe("Epoch seconds"),
  expires_at: z.int().nullable(),
  requests_per_minute: z.int(),
  models: z.array(z.string()).describe("The models that the key may use; empty for all"),
  budget_points: z
    .number()
    .nullable()
    .describe("The points that the key may spend in its lifetime; null for no limit"),
  spent_points: z.number(),
  held_points: z.number(),
  remaining_points: z
    .number()
    .nullable()
    .describe("The points left of the budget; null without a budget"),
  callback_secret: z
    .string()
    .describe(
      "The secret for checking the signatures of callbacks (Standard Webhooks); the same for all keys of the account",
    ),
});

export const quoteRequest = openObject({
  endpoint: z
    .string()
    .min(1)
    .max(200)
    .describe("The endpoint's name or path, such as createChatCompletion or /v1/chat/completions"),
});

export const quoteResponse = z.object({
  hold_points: z
    .number()
    .describe("The points that the request would hold; the charge is never higher"),
  estimate_points: z.number().describe("The expected charge in points"),
  tokens: z.object({ input: z.int(), output: z.int() }).describe("The expected tokens"),
  price: z
    .object({ input: z.number().nullable(), output: z.number() })
    .describe("The list price in points per million tokens"),
  multiplier: z.number(),
  normalized: z.record(z.string(), z.unknown()).describe("The request as it would be executed"),
});
export type QuoteResponse = z.infer<typeof quoteResponse>;
