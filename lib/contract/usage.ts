/**
 * Requests of the usage, overview and statement pages to `/api/…`, and their answers. Times are ISO
 * 8601 in UTC.
 */

import { z } from "zod";
import { answerRows, answerText, day, moment } from "./bounds";
import { entry } from "./entries";
import { CURSOR_LENGTH_MAX } from "./limits";
import { byUser, get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { lineView } from "./rates";
import { usageGroups } from "./states";
import { namesTag, summaryGrouping, tagNamed } from "./tags";
import { units } from "./units";
import { usageChartQuery, usageChartResponse } from "./usage-chart";
import { fairRange, isFairRange, usageFilter, usageRange } from "./usage-filter";

export const usageQuery = usageFilter
  .extend({ cursor: z.string().max(CURSOR_LENGTH_MAX).optional() })
  .refine(isFairRange, fairRange);
export const usageSummaryQuery = usageFilter
  .extend(summaryGrouping)
  .refine(isFairRange, fairRange)
  .refine(namesTag, tagNamed);

/** Months such as `2026-08` in the range whose requests are only in the archives of the operator. */
export const archived = answerRows(answerText);

/** Requests by the time they were made, newest first; `nextCursor` is null on the last page. */
const usageResponse = z.object({
  requests: answerRows(entry),
  nextCursor: answerText.nullable(),
  /** They are not among `requests`. The sums contain them. */
  archived,
});

const usageSum = z.object({
  requests: z.number().int(),
  settled: z.number().int(),
  released: z.number().int(),
  running: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  charged: points,
  held: points,
});
const usageSummaryResponse = z.object({
  total: usageSum,
  groups: answerRows(usageSum.extend({ id: answerText, name: answerText.nullable() })),
});

/** The requests that hold points now, newest first, at most 50. */
const runningResponse = z.object({ requests: answerRows(entry) });

/** A call to an upstream that the request's own row does not tell of. */
const attempt = z.object({
  id: answerText,
  /** Why it failed; null when it answered. */
  code: answerText.nullable(),
  tookMs: z.number().int(),
  endedAt: moment,
});
const refund = z.object({ id: answerText, points, reason: answerText, at: moment });

export const requestResponse = z.object({
  entry,
  key: z.object({ id: answerText, hint: answerText.nullable() }).nullable(),
  /** The address of the member who made the key, or ordered in the playground; null once erased. */
  maker: answerText.nullable(),
  multiplier: answerText,
  /** Points per million tokens, fixed when the points were held. */
  price: z.object({ input: points, output: points }),
  /** What is charged by unit: Σ(quantity × rate) × multiplier, rounded up once. */
  lines: answerRows(lineView),
  isStream: z.boolean().nullable(),
  isAbandoned: z.boolean().nullable(),
  firstByteMs: z.number().int().nullable(),
  /** Oldest first; they are removed after three months. */
  attempts: answerRows(attempt),
  /** When a video or an image was sent, made and stored; null for text. */
  stages: z
    .object({
      submitted: moment.nullable(),
      running: moment.nullable(),
      stored: moment.nullable(),
    })
    .nullable(),
  /** The refunded part of the charge. */
  refunded: points,
  refunds: answerRows(refund),
  endedAt: moment.nullable(),
});

export const spendQuery = z.object({
  days: z.enum(["7", "30"]).default("7").transform(Number),
  group: z.enum(usageGroups).default("day"),
});
/** The charges of the last UTC days, today included. */
const spendResponse = z.object({
  today: day,
  groups: answerRows(
    z.object({
      id: answerText,
      name: answerText.nullable(),
      requests: z.number().int(),
      inputTokens: z.number().int(),
      outputTokens: z.number().int(),
      amount: points,
    }),
  ),
});

export const statementQuery = z.object(usageRange).refine(isFairRange, fairRange);
/** Whole UTC days. `opening` + `credits` - `takenBack` - `charges` = `closing`. */
const statementResponse = z.object({
  opening: points,
  credits: points,
  takenBack: points,
  charges: points,
  closing: points,
  lineCount: z.number().int(),
  /**
   * What the charges count, by model and unit, and images by their quality; null where there are
   * too many requests to sum, or where some are archived.
   */
  units: answerRows(
    z.object({
      model: answerText,
      unit: z.enum(units),
      quality: answerText.optional(),
      quantity: z.number().int(),
    }),
  ).nullable(),
  /** Their units are not counted. The points are complete. */
  archived,
});

export const usageEndpoints = {
  listUsage: {
    ...get("/api/usage", byUser("readUsage", "usage:read")),
    query: usageQuery,
    answer: usageResponse,
  },
  showUsageSummary: {
    ...get("/api/usage/summary", byUser("readUsage", "usage:read")),
    query: usageSummaryQuery,
    answer: usageSummaryResponse,
  },
  showUsageChart: {
    ...get("/api/usage/chart", byUser("readUsage", "usage:read")),
    query: usageChartQuery,
    answer: usageChartResponse,
  },
  downloadUsage: {
    ...get("/api/usage/csv", byUser("readUsage", "usage:read")),
    query: usageQuery,
    answer: "csv",
  },
  listRunning: {
    ...get("/api/running", byUser("readUsage")),
    noKey: "live",
    answer: runningResponse,
  },
  showRequest: {
    ...get("/api/requests/{id}", byUser("readUsage", "usage:read")),
    answer: requestResponse,
  },
  showSpend: {
    ...get("/api/spend", byUser("readAccount", "usage:read")),
    query: spendQuery,
    answer: spendResponse,
  },
  showStatement: {
    ...get("/api/statement", byUser("readPoints", "points:read")),
    query: statementQuery,
    answer: statementResponse,
  },
  downloadStatement: {
    ...get("/api/statement/csv", byUser("readPoints", "points:read")),
    query: statementQuery,
    answer: "csv",
  },
} as const satisfies PageEndpoints;

export type UsageSum = z.infer<typeof usageSum>;
export type RequestView = z.infer<typeof requestResponse>;
