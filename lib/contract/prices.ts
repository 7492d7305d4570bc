/** What `/api/prices` tells. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { points } from "./points";
import { families } from "./states";

export const modelPrice = z.object({
  model: answerText,
  alias: answerText,
  family: z.enum(families),
  /** Points per million tokens; null where the model bills no input, or where no price is set. */
  input: points.nullable(),
  output: points.nullable(),
  /** The signed-in account's own prices beside the list; null without a session. */
  own: z.object({ multiplier: answerText, input: points.nullable(), output: points }).nullable(),
  effectiveAt: moment.nullable(),
  /** The list price to come next, and from when on; null: none is known. */
  next: z.object({ input: points.nullable(), output: points, effectiveAt: moment }).nullable(),
});
export const pricesResponse = z.object({ prices: answerRows(modelPrice) });

export type ModelPriceView = z.infer<typeof modelPrice>;
