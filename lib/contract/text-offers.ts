/** What a text model offers beyond one written answer: the member `offers` of its spec. */
import { z } from "zod";
import type { TextOffers } from "../catalog/text-offers";
import { hostedTools } from "./hosted-tools";
import { ANSWERS_MAX, TOKENS_MAX } from "./limits";
import { passedTextFields } from "./passed-text-fields";

const isOnce = (given: readonly string[]) => new Set(given).size === given.length;
const once = "it must not name one twice";

export const textOffers = z.strictObject({
  answers_max: z.int().min(2).max(ANSWERS_MAX).optional(),
  tools: hostedTools.optional(),
  sounds: z.strictObject({ bytes_per_token: z.int().min(1).max(TOKENS_MAX) }).optional(),
  documents: z.strictObject({ tokens_max: z.int().min(1).max(TOKENS_MAX) }).optional(),
  passes: z
    .array(z.enum(passedTextFields))
    .min(1)
    .max(passedTextFields.length)
    .refine(isOnce, once)
    .optional(),
}) satisfies z.ZodType<TextOffers>;
