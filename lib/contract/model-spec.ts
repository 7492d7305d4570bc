/**
 * What a model can do and what it allows, a schema for each family: the member `spec` of a model's
 * file, as its version stores it. What is left out has the default here.
 */
import { z } from "zod";
import {
  DURATIONS_MAX,
  MODEL_SENTENCE_LENGTH_MAX,
  MODEL_TITLE_LENGTH_MAX,
  TOKENS_MAX,
  VIDEO_SECONDS_MAX,
} from "./limits";
import { IMAGES_MAX } from "./media-fields";
import { needsContext } from "./passed-text-fields";
import { shownName } from "./shown-text";
import { textOffers } from "./text-offers";
import { videoOffers } from "./video-offers";

const text = z.strictObject({
  title: shownName(MODEL_TITLE_LENGTH_MAX),
  sentence: shownName(MODEL_SENTENCE_LENGTH_MAX),
});
/** What pages call a model and say of it. A language that is left out is shown the other one's. */
export const modelNames = z
  .strictObject({ en: text.optional(), "zh-CN": text.optional() })
  .refine((given) => given.en ?? given["zh-CN"], "it must have en, zh-CN or both");

const resolutions = ["480p", "720p", "1080p", "2k", "4k"] as const;
const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"] as const;

const someOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .array(z.enum(names))
    .min(1)
    .max(names.length)
    .refine((given) => new Set(given).size === given.length, "it must not name one twice");

const seconds = z.int().min(1).max(VIDEO_SECONDS_MAX);
const references = z.int().min(0).max(IMAGES_MAX).default(0);

export const textSpec = z
  .strictObject({
    output_tokens_max: z.int().min(1).max(TOKENS_MAX),
    context_tokens: z.int().min(1).max(TOKENS_MAX).nullable().default(null),
    image_tokens_max: z.int().min(1).max(TOKENS_MAX).nullable().default(null),
    tools: z.boolean().default(true),
    reasoning: z.boolean().default(true),
    offers: textOffers.optional(),
  })
  .refine(
    ({ offers, context_tokens }) =>
      context_tokens !== null || !(offers?.tools || needsContext(offers?.passes ?? [])),
    {
      path: ["context_tokens"],
      message: "it is needed for what the upstream may add: tools, and some of the passed fields",
    },
  );

const range = z
  .strictObject({ min: seconds, max: seconds, default: seconds })
  .refine((given) => given.min <= given.default && given.default <= given.max, {
    message: "min, default and max must be in this order",
  });
/** The only lengths, the default first. */
const lengths = z
  .array(seconds)
  .min(1)
  .max(DURATIONS_MAX)
  .refine((given) => new Set(given).size === given.length, "it must not name one twice");

export const videoSpec = z
  .strictObject({
    durations: z.union([range, lengths]),
    resolutions: someOf(resolutions),
    resolution_default: z.enum(resolutions).optional(),
    ratios: someOf(ratios).default([...ratios]),
    ratio_default: z.enum(ratios).optional(),
    reference_images_max: references,
    audio: z.boolean().default(false),
    last_frame: z.boolean().optional(),
    pixels: z.enum(["first", "second"]).default("second"),
    offers: videoOffers.optional(),
  })
  .transform(({ last_frame, offers, ...given }) => ({
    ...given,
    ...(offers && { offers }),
    // Absent for most, whose rows an earlier release reads too.
    ...(last_frame && { last_frame }),
    resolution_default: given.resolution_default ?? given.resolutions[0] ?? "720p",
    ratio_default: given.ratio_default ?? given.ratios[0] ?? "16:9",
  }))
  .refine((given) => given.resolutions.includes(given.resolution_default), {
    path: ["resolution_default"],
    message: "it must be one of the resolutions",
  })
  .refine((given) => given.ratios.includes(given.ratio_default), {
    path: ["ratio_default"],
    message: "it must be one of the ratios",
  });
