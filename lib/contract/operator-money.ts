/** Requests of the operators' money page to `/api/admin/money`, and their answers. */

import { z } from "zod";
import { answerRows, answerText, day, moment } from "./bounds";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";
import { holdAges } from "./states";

const moneyQuery = z.object({
  days: z.enum(["7", "30", "90", "365"]).default("30").transform(Number),
});

const auditRun = z.object({
  startedAt: moment,
  seconds: z.number(),
  actor: answerText,
  isClean: z.boolean(),
  accounts: z.number(),
  entries: z.number(),
  broken: answerRows(z.object({ name: answerText, detail: answerText })),
});

/** The last sealed day (UTC) and the hash of its seal; null before the first. */
const seals = z.object({
  day: day.nullable(),
  head: answerText.nullable(),
  /** Whether requests of hours ago are in no piece of the audit. */
  isBehind: z.boolean(),
});

const moneyResponse = z.object({
  /** The first day of the range (UTC). */
  from: day,
  liabilities: z.object({ available: points, held: points, accounts: z.number() }),
  /** Payments in the range by currency, in its smallest unit. */
  revenue: answerRows(
    z.object({
      currency: answerText,
      payments: z.number(),
      amount: z.number(),
      refunded: z.number(),
      disputed: z.number(),
      points,
    }),
  ),
  /** Changes of points in the range other than charges. */
  credits: answerRows(z.object({ kind: answerText, count: z.number(), points })),
  /** Days with charges. Of models with a known cost, in millionths of `currency`. */
  days: answerRows(
    z.object({
      day,
      requests: z.number(),
      points,
      income: answerText.nullable(),
      cost: answerText.nullable(),
    }),
  ),
  /** The currency in which points are sold; null when it is not known. */
  currency: answerText.nullable(),
  /** The points of all accounts, available and held, at the end of each day. */
  outstanding: answerRows(z.object({ day, points })),
  losses: answerRows(z.object({ cause: answerText, count: z.number(), points })),
  holds: answerRows(z.object({ age: z.enum(holdAges), count: z.number(), points })),
  /** `cost` and `income` in millionths of `currency`; null when no price was noted. */
  models: answerRows(
    z.object({
      model: answerText,
      requests: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      charged: points,
      currency: answerText.nullable(),
      cost: answerText.nullable(),
      income: answerText.nullable(),
      marginPerMille: z.number().nullable(),
    }),
  ),
  /** Null when there are too many settlements to sum in time. */
  channels: answerRows(
    z.object({
      channelId: answerText,
      name: answerText.nullable(),
      requests: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      charged: points,
    }),
  ).nullable(),
  audit: auditRun.nullable(),
  seals,
});
const auditResponse = z.object({ audit: auditRun, seals });

export const moneyEndpoints = {
  showMoney: {
    ...get("/api/admin/money", byOperator("money:read")),
    query: moneyQuery,
    answer: moneyResponse,
  },
  downloadMoney: {
    ...get("/api/admin/money/csv", byOperator("money:read")),
    query: moneyQuery,
    answer: "csv",
  },
  auditLedger: {
    ...post("/api/admin/money/audit", byOperator("operations:write")),
    command: "ledger audit",
    answer: auditResponse,
  },
} as const satisfies PageEndpoints;

export type MoneyView = z.infer<typeof moneyResponse>;
export type AuditRunView = z.infer<typeof auditRun>;
