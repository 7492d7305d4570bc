/** Rates and the lines of a bill as the relay's API shows them: points as decimal numbers. */
import { z } from "zod";
import { SELECTOR_LENGTH_MAX, units } from "./units";

const unit = z
  .enum(units)
  .describe("What is counted: the rate is per million of a token unit, and per one of the others");
const selector = z.string().max(SELECTOR_LENGTH_MAX).optional();
const selected = {
  size: selector.describe("The size that the rate is for; absent for every size"),
  quality: selector.describe("The quality that the rate is for; absent for every quality"),
  resolution: selector.describe("The resolution that the rate is for; absent for every resolution"),
  audio: z
    .boolean()
    .optional()
    .describe("Whether the rate is for videos with sound; absent for both"),
  input_video: z
    .boolean()
    .optional()
    .describe("Whether the rate is for videos that are made from a video; absent for both"),
  tier: selector.describe("The service tier that the rate is for; absent for every tier"),
  input_from: z
    .int()
    .optional()
    .describe(
      "The rate is for requests with so many input tokens or more, and for all tokens of the unit; absent for shorter ones",
    ),
  hours: selector.describe(
    "The times of day in UTC that the rate is for, such as 16:30-00:30; absent for the others",
  ),
};

export const pricedRate = z.object({
  unit,
  points: z.number().describe("The rate in points"),
  ...selected,
});

export const billedLine = z.object({
  unit,
  quantity: z.int().describe("How many, each counted once"),
  points: z.number().describe("The list rate in points"),
  ...selected,
});
