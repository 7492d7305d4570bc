/** Rates and what is counted at them, in requests and answers. */
import { z } from "zod";
import { answerText } from "./bounds";
import { TOKENS_MAX } from "./limits";
import { points, pointsInput } from "./points";
import { RATES_MAX, SELECTOR_LENGTH_MAX, units } from "./units";

const selector = z.string().max(SELECTOR_LENGTH_MAX);

/** Per million of a token unit, per one of the others. */
export const rateInput = z.strictObject({
  unit: z.enum(units),
  points: pointsInput,
  size: selector.optional(),
  quality: selector.optional(),
  resolution: selector.optional(),
  audio: z.boolean().optional(),
  input_video: z.boolean().optional(),
  tier: selector.optional(),
  input_from: z.int().min(1).max(TOKENS_MAX).optional(),
  hours: selector.optional(),
});
/** The whole list: a unit that is not in it is not counted. */
export const ratesInput = z.array(rateInput).min(1).max(RATES_MAX);

const ordered = {
  size: answerText.optional(),
  quality: answerText.optional(),
  resolution: answerText.optional(),
  audio: z.boolean().optional(),
  input_video: z.boolean().optional(),
  tier: answerText.optional(),
  input_from: z.number().int().optional(),
  hours: answerText.optional(),
};
export const rateView = z.object({ unit: z.enum(units), points, ...ordered });
/** What was counted, each unit once, at its list rate. */
export const lineView = rateView.extend({ quantity: z.number().int() });

/** As the database has it, which checks its form: micropoints, or millionths of a currency. */
export const storedRates = z
  .array(
    z.object({
      unit: z.enum(units),
      amount: z.number(),
      ...ordered,
    }),
  )
  .max(RATES_MAX);

export type StoredRate = z.infer<typeof storedRates>[number];
export type RateInput = z.input<typeof rateInput>;
export type RateView = z.infer<typeof rateView>;
