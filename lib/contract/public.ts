/** What `/api` tells anyone, without a session. */
import { z } from "zod";
import { moment, points } from "./site";

export const versionResponse = z.object({
  version: z.string(),
  /** Of the source this was built from; null where it was built outside a repository. */
  commit: z.string().nullable(),
  builtAt: moment.nullable(),
});

export const priceHistoryQuery = z.strictObject({
  /** Identifier, alias or synonym. */
  model: z.string().min(1).max(80),
});

/** List prices that were in force, points per million tokens; the newest first, at most 100. */
export const priceHistoryResponse = z.object({
  model: z.string(),
  versions: z.array(z.object({ input: points.nullable(), output: points, effectiveAt: moment })),
});
export type PriceHistory = z.infer<typeof priceHistoryResponse>;
