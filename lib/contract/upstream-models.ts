/** What is read of an upstream's own list of models. What is not as here counts as not said. */
import { z } from "zod";
import { recordOf } from "./bounds";
import { DURATIONS_MAX, SIZES_MAX, TOKENS_MAX } from "./limits";
import { isShownText } from "./shown-rule";
import { families } from "./states";
import { RATES_MAX, SELECTOR_LENGTH_MAX, units } from "./units";
import { videoOffers } from "./video-offers";

const NAME_LENGTH_MAX = 200;
const WORDS_MAX = 32;

const word = z.string().max(SELECTOR_LENGTH_MAX).refine(isShownText);
const number = z.number().optional().catch(undefined);
const words = z.array(word).max(WORDS_MAX).optional().catch(undefined);

const rate = z.object({
  unit: z.enum(units),
  points: z.number().min(0).max(1_000_000),
  size: word.optional(),
  quality: word.optional(),
  resolution: word.optional(),
  audio: z.boolean().optional(),
  input_video: z.boolean().optional(),
  tier: word.optional(),
  input_from: z.int().min(1).max(TOKENS_MAX).optional(),
  hours: word.optional(),
});

const capabilities = z.object({
  output_tokens_max: number,
  duration_seconds_min: number,
  duration_seconds_max: number,
  durations: z.array(z.number()).max(DURATIONS_MAX).optional().catch(undefined),
  resolutions: words,
  ratios: words,
  reference_images_max: number,
  audio: z.boolean().optional().catch(undefined),
  last_frame: z.boolean().optional().catch(undefined),
  offers: videoOffers.optional().catch(undefined),
  side_pixels_min: number,
  side_pixels_max: number,
  sizes: recordOf(word, SIZES_MAX, SELECTOR_LENGTH_MAX).optional().catch(undefined),
  sizes_allowed: z.array(word).max(SIZES_MAX).optional().catch(undefined),
  qualities: words,
  quality_default: word.optional().catch(undefined),
});

/** The list of another instance says all of it; other lists say little more than the name. */
export const listedModel = z.object({
  id: z.string().max(NAME_LENGTH_MAX).refine(isShownText),
  family: z.enum(families).optional().catch(undefined),
  capabilities: capabilities.optional().catch(undefined),
  pricing: z
    .object({ rates: z.array(rate).max(RATES_MAX) })
    .nullable()
    .catch(null),
  context_length: z.int().min(0).optional().catch(undefined),
});

export type ListedModel = z.infer<typeof listedModel>;
