/** Answers of `/api` to anyone, without a session. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { MODEL_LENGTH_MAX } from "./limits";
import { get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { pricesResponse } from "./prices";
import { rateView } from "./rates";

const versionResponse = z.object({
  version: answerText,
  /** The commit of the source; null when it was built outside a repository. */
  commit: answerText.nullable(),
  builtAt: moment.nullable(),
});

const priceHistoryQuery = z.strictObject({
  /** Identifier, alias or synonym. */
  model: z.string().min(1).max(MODEL_LENGTH_MAX),
});

/** Past list prices, in points per million tokens; newest first, at most 100. */
const priceHistoryResponse = z.object({
  model: answerText,
  versions: answerRows(
    z.object({
      input: points.nullable(),
      output: points,
      rates: answerRows(rateView),
      effectiveAt: moment,
    }),
  ),
});

export const publicEndpoints = {
  showPrices: {
    ...get("/api/prices", { who: "anyone" }),
    readsSession: true,
    answer: pricesResponse,
  },
  showPriceHistory: {
    ...get("/api/prices/history", { who: "anyone" }),
    query: priceHistoryQuery,
    answer: priceHistoryResponse,
  },
  showVersion: {
    ...get("/api/version", { who: "anyone" }),
    answer: versionResponse,
  },
} as const satisfies PageEndpoints;

export type PriceHistory = z.infer<typeof priceHistoryResponse>;
