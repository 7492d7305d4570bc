/**
 * Requests of the operators' page of upstream bills to `/api/admin/upstream-bills`, and their answers.
 * Amounts are of the bill's currency.
 */
import { z } from "zod";
import { billFormats, differenceCauses } from "./bill-words";
import { answerRows, answerText, done, moment } from "./bounds";
import { ID_LENGTH_MAX, MODEL_LENGTH_MAX, NAME_LENGTH_MAX, ZONE_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { money } from "./points";
import { ratesInput, rateView } from "./rates";
import { shownName } from "./shown-text";

/** A longer bill is compared on the command line. */
export const BILL_UPLOAD_CHARACTERS_MAX = 2 * 1024 * 1024;
/** JSON may write a character as six. */
const UPLOAD_BYTES_MAX = 3 * BILL_UPLOAD_CHARACTERS_MAX;

const channelId = z.string().min(1).max(ID_LENGTH_MAX);
const currency = z
  .string()
  .max(3)
  .regex(/^[A-Z]{3}$/, "it must be three capital letters, such as CNY or USD");
const count = z.number().int();

const bill = z.object({
  id: answerText,
  channelId: answerText,
  channel: answerText,
  name: answerText,
  from: moment,
  to: moment,
  currency: answerText,
  lines: count,
  agreed: count,
  billed: money,
  owed: money,
  difference: money,
  madeAt: moment,
  madeBy: answerText,
});
/** Each with its calls and how much more is billed than is owed. */
const causes = answerRows(z.object({ cause: z.enum(differenceCauses), count, amount: money }));
const counted = z
  .object({
    inputTokens: count.optional(),
    outputTokens: count.optional(),
    cachedInputTokens: count.optional(),
    cacheWriteTokens: count.optional(),
    reasoningTokens: count.optional(),
    images: count.optional(),
    seconds: z.number().optional(),
  })
  .nullable();
const difference = z.object({
  cause: z.enum(differenceCauses),
  /** The upstream's id of the call. */
  ref: answerText.nullable(),
  at: moment.nullable(),
  model: answerText,
  amount: money,
  billed: counted,
  owed: counted,
});
const shownBill = z.object({ bill, causes, differences: answerRows(difference) });

const ratesBody = z.strictObject({
  channelId,
  /** The upstream's name for the model. */
  model: z.string().min(1).max(MODEL_LENGTH_MAX),
  currency,
  /** Amounts of the currency have the same form as points. */
  rates: ratesInput,
  /** Null: from the beginning. */
  effectiveAt: moment.nullable(),
});

export const billEndpoints = {
  listUpstreamBills: {
    ...get("/api/admin/upstream-bills", byOperator("money:read")),
    command: "upstream bills",
    query: z.object({ channelId: channelId.optional() }),
    answer: z.object({ bills: answerRows(bill) }),
  },
  showUpstreamBill: {
    ...get("/api/admin/upstream-bills/{id}", byOperator("money:read")),
    command: "upstream bill",
    query: z.object({ cause: z.enum(differenceCauses).optional() }),
    /** The dearest 200 differences. */
    answer: shownBill,
  },
  downloadUpstreamBill: {
    ...get("/api/admin/upstream-bills/{id}/csv", byOperator("money:read")),
    answer: "csv",
  },
  reconcileUpstreamBill: {
    ...post("/api/admin/upstream-bills", byOperator("prices:write")),
    command: "upstream reconcile",
    proof: "recent",
    bodyBytesMax: UPLOAD_BYTES_MAX,
    body: z.strictObject({
      channelId,
      /** Of the file. */
      name: shownName(NAME_LENGTH_MAX),
      text: z.string().max(BILL_UPLOAD_CHARACTERS_MAX),
      format: z.enum(billFormats).default("csv"),
      currency,
      /** Of times that name none, such as `Asia/Shanghai`; absent: UTC. */
      zone: z.string().min(1).max(ZONE_LENGTH_MAX).optional(),
    }),
    answer: shownBill,
  },
  listUpstreamRates: {
    ...get("/api/admin/upstream-rates", byOperator("money:read")),
    command: "upstream rates",
    query: z.object({ channelId: channelId.optional() }),
    answer: z.object({
      rates: answerRows(
        z.object({
          channelId: answerText,
          model: answerText,
          effectiveAt: moment,
          currency: answerText,
          rates: answerRows(rateView),
          notedBy: answerText,
        }),
      ),
    }),
  },
  setUpstreamRates: {
    ...post("/api/admin/upstream-rates", byOperator("prices:write")),
    command: "upstream set-rates",
    proof: "recent",
    body: ratesBody,
    answer: done,
  },
} as const satisfies PageEndpoints;

type Bills = z.infer<(typeof billEndpoints)["listUpstreamBills"]["answer"]>;
export type UpstreamBillView = Bills["bills"][number];
export type ShownUpstreamBill = z.infer<typeof shownBill>;
