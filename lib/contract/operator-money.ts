/** What the operators' money page asks of `/api/admin/money` and what it gets. */
import { z } from "zod";
import { moment, points } from "./site";

export const moneyQuery = z.object({ days: z.enum(["7", "30", "90", "365"]).default("30").transform(Number) });

const auditRun = z.object({
  startedAt: moment,
  seconds: z.number(),
  actor: z.string(),
  isClean: z.boolean(),
  accounts: z.number(),
  entries: z.number(),
  broken: z.array(z.object({ name: z.string(), detail: z.string() })),
});

export const moneyResponse = z.object({
  /** First day of the range, UTC. */
  from: z.iso.date(),
  liabilities: z.object({ available: points, held: points, accounts: z.number() }),
  /** Paid in the range, by currency; amounts in its smallest unit. */
  revenue: z.array(
    z.object({ currency: z.string(), payments: z.number(), amount: z.number(), refunded: z.number(), disputed: z.number(), points }),
  ),
  /** Points that came and went in the range, but for charges. */
  credits: z.array(z.object({ kind: z.string(), count: z.number(), points })),
  days: z.array(z.object({ day: z.iso.date(), requests: z.number(), points })),
  losses: z.array(z.object({ cause: z.string(), count: z.number(), points })),
  holds: z.array(z.object({ age: z.enum(["minute", "tenMinutes", "hour", "day", "older"]), count: z.number(), points })),
  /** `cost` and `income` in millionths of `currency`; null where nothing was noted. */
  models: z.array(
    z.object({
      model: z.string(),
      requests: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      charged: points,
      currency: z.string().nullable(),
      cost: z.string().nullable(),
      income: z.string().nullable(),
      marginPerMille: z.number().nullable(),
    }),
  ),
  /** Null: too much to be counted in time. */
  channels: z
    .array(
      z.object({
        channelId: z.string(),
        name: z.string().nullable(),
        requests: z.number(),
        inputTokens: z.number(),
        outputTokens: z.number(),
        charged: points,
      }),
    )
    .nullable(),
  audit: auditRun.nullable(),
});
export const auditResponse = z.object({ audit: auditRun });

export type MoneyView = z.infer<typeof moneyResponse>;
export type AuditRunView = z.infer<typeof auditRun>;
