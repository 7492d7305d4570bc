/**
 * Requests of the operators' prices page to `/api/admin/prices`, and their answers. Amounts of
 * money have the same form as points.
 */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { CURSOR_LENGTH_MAX, MODEL_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { money, moneyInput, points, pointsInput } from "./points";
import { rateInput, ratesInput, rateView } from "./rates";
import { families } from "./states";
import { RATES_MAX, units } from "./units";

const currency = z
  .string()
  .max(3)
  .regex(/^[A-Z]{3}$/, "it must be three capital letters, such as CNY or USD");

const version = z.object({
  id: answerText,
  model: answerText,
  /** Null when the model does not charge input. */
  input: points.nullable(),
  output: points,
  /** All rates, these two among them. */
  rates: answerRows(rateView),
  effectiveAt: moment,
  /** An email address, `cli` or `system`. */
  setBy: answerText,
});

/** Of a rate, or of what was charged; null when unknown. */
const margin = z.object({ income: money, cost: money, percent: z.number().nullable() }).nullable();

export const operatorPrice = z.object({
  model: answerText,
  family: z.enum(families),
  present: version.nullable(),
  /** Future prices, the soonest first. */
  upcoming: answerRows(version),
  upstream: z
    .object({ currency, input: money.nullable(), output: money, rates: answerRows(rateView) })
    .nullable(),
  /** `rates`: of each rate of the present price. */
  margins: z.object({
    input: margin,
    output: margin,
    rates: answerRows(rateView.extend({ margin })),
  }),
  /** The last 30 UTC days; `margin` is that of the actual charges. */
  days30: z.object({
    requests: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    charged: points,
    margin,
  }),
});
export const operatorPricesResponse = z.object({
  prices: answerRows(operatorPrice),
  /** The price at which one point is sold. */
  pointPrice: z.object({ currency, amount: money }).nullable(),
});

const newPrice = {
  model: z.string().max(MODEL_LENGTH_MAX),
  input: pointsInput.optional(),
  output: pointsInput.optional(),
  /** The whole list, in place of the two. */
  rates: ratesInput.optional(),
};
/** Without `effectiveAt` the price applies now. */
const setPriceRequest = z.strictObject({ ...newPrice, effectiveAt: moment.nullable() });
export const previewPriceRequest = z.strictObject(newPrice);
const previewPriceResponse = z.object({
  model: answerText,
  days: z.number(),
  requests: z.number(),
  isPartial: z.boolean(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  charged: points,
  atPresent: points.nullable(),
  atNew: points,
  /** Before the rounding of each request. */
  units: answerRows(
    z.object({
      unit: z.enum(units),
      quantity: z.number().int(),
      atPresent: points.nullable(),
      atNew: points,
    }),
  ),
});
/** `subject`: a model, or `point`. */
const upstreamPriceRequest = z.strictObject({
  subject: z.string().max(MODEL_LENGTH_MAX),
  price: z
    .strictObject({
      currency,
      input: moneyInput.nullable(),
      output: moneyInput,
      /** What the upstream asks for other units; absent to keep it. */
      rates: z.array(rateInput).max(RATES_MAX).optional(),
    })
    .nullable(),
});
export const priceVersionsQuery = z.object({
  model: z.string().max(MODEL_LENGTH_MAX).optional(),
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
});
/** The latest moment first; `nextCursor` is null on the last page. */
const priceVersionsResponse = z.object({
  versions: answerRows(version),
  nextCursor: answerText.nullable(),
});

export const priceEndpoints = {
  showOperatorPrices: {
    ...get("/api/admin/prices", byOperator("prices:read")),
    answer: operatorPricesResponse,
  },
  setPrice: {
    ...post("/api/admin/prices", byOperator("prices:write")),
    command: "price set",
    proof: "recent",
    body: setPriceRequest,
    answer: operatorPricesResponse,
  },
  listPriceVersions: {
    ...get("/api/admin/prices/versions", byOperator("prices:read")),
    query: priceVersionsQuery,
    answer: priceVersionsResponse,
  },
  previewPrice: {
    ...post("/api/admin/prices/preview", byOperator("prices:read")),
    command: "price preview",
    body: previewPriceRequest,
    answer: previewPriceResponse,
  },
  withdrawPrice: {
    ...post("/api/admin/prices/{id}/withdraw", byOperator("prices:write")),
    command: "price withdraw",
    proof: "recent",
    answer: operatorPricesResponse,
  },
  noteUpstreamPrice: {
    ...post("/api/admin/prices/upstream", byOperator("prices:write")),
    command: "price cost",
    proof: "recent",
    body: upstreamPriceRequest,
    answer: operatorPricesResponse,
  },
} as const satisfies PageEndpoints;

export type OperatorPrice = z.infer<typeof operatorPrice>;
export type OperatorPrices = z.infer<typeof operatorPricesResponse>;
export type PriceVersionView = z.infer<typeof version>;
export type PricePreviewView = z.infer<typeof previewPriceResponse>;
export type NewPriceBody = z.input<typeof previewPriceRequest>;
export type UpstreamPriceBody = z.input<typeof upstreamPriceRequest>;
