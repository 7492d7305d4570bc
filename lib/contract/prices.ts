/** The answer of `/api/prices`. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { points } from "./points";
import { rateView } from "./rates";
import { families } from "./states";

export const modelPrice = z.object({
  model: answerText,
  alias: answerText,
  family: z.enum(families),
  /** Points per million tokens; null when the model does not charge input, or has no price. */
  input: points.nullable(),
  output: points.nullable(),
  /** All rates of the price, these two among them; none while the model has no price. */
  rates: answerRows(rateView),
  /** The signed-in account's own prices; null without a session. */
  own: z
    .object({
      multiplier: answerText,
      input: points.nullable(),
      output: points,
      rates: answerRows(rateView),
    })
    .nullable(),
  effectiveAt: moment.nullable(),
  /** The next list price and when it starts; null when none is planned. */
  next: z
    .object({
      input: points.nullable(),
      output: points,
      rates: answerRows(rateView),
      effectiveAt: moment,
    })
    .nullable(),
});
/** A model that stands for others. */
export const virtualPrice = z.object({
  model: answerText,
  family: z.enum(families),
  /** Those that it may choose. */
  models: answerRows(answerText),
  /** Points per million tokens, the account's own with a session: of the cheapest and the dearest. */
  inputMin: points,
  inputMax: points,
  outputMin: points,
  outputMax: points,
  /** Points of a usual request. */
  usualMin: points,
  usualMax: points,
});
export const pricesResponse = z.object({
  prices: answerRows(modelPrice),
  virtual: answerRows(virtualPrice),
});

export type ModelPriceView = z.infer<typeof modelPrice>;
export type VirtualPriceView = z.infer<typeof virtualPrice>;
