/**
 * What a model can do and what it allows, a schema for each family: the member `spec` of a model's
 * file, as its version stores it. What is left out has the default here.
 */
import { z } from "zod";
import { parseImageSize } from "../catalog/image-sizes";
import { recordOf } from "./bounds";
import { DURATIONS_MAX, SIZES_MAX, TOKENS_MAX, VIDEO_SECONDS_MAX } from "./limits";
import { IMAGES_MAX } from "./media-fields";

const resolutions = ["480p", "720p", "1080p"] as const;
const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"] as const;

const someOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .array(z.enum(names))
    .min(1)
    .max(names.length)
    .refine((given) => new Set(given).size === given.length, "it must not name one twice");

const seconds = z.int().min(1).max(VIDEO_SECONDS_MAX);
const references = z.int().min(0).max(IMAGES_MAX).default(0);

export const textSpec = z.strictObject({
  output_tokens_max: z.int().min(1).max(TOKENS_MAX),
  context_tokens: z.int().min(1).max(TOKENS_MAX).nullable().default(null),
  image_tokens_max: z.int().min(1).max(TOKENS_MAX).nullable().default(null),
  tools: z.boolean().default(true),
  reasoning: z.boolean().default(true),
});

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
    pixels: z.enum(["first", "second"]).default("second"),
  })
  .transform((given) => ({
    ...given,
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

const side = z.int().min(64).max(16_384);
const size = z
  .string()
  .max(11)
  .refine((text) => parseImageSize(text) !== null, "it must be <width>x<height> in pixels");
const RATIO_CHARACTERS_MAX = 11;
const isRatio = (text: string) => /^[1-9]\d{0,4}:[1-9]\d{0,4}$/.test(text);

interface Bounds {
  readonly side_pixels_min: number;
  readonly side_pixels_max: number;
  readonly pixels_max: number;
}

function isInside(bounds: Bounds, text: string): boolean {
  const [width, height] = parseImageSize(text) ?? [0, 0];
  return (
    Math.min(width, height) >= bounds.side_pixels_min &&
    Math.max(width, height) <= bounds.side_pixels_max &&
    width * height <= bounds.pixels_max
  );
}

export const imageSpec = z
  .strictObject({
    side_pixels_min: side.default(512),
    side_pixels_max: side.default(4096),
    pixels_max: z.int().min(64).optional(),
    reference_images_max: references,
    size_default: size,
    sizes: recordOf(size, SIZES_MAX, RATIO_CHARACTERS_MAX)
      .refine((given) => Object.keys(given).every(isRatio), "its names must be <width>:<height>")
      .default({}),
  })
  .transform((given) => ({
    ...given,
    pixels_max: given.pixels_max ?? given.side_pixels_max * given.side_pixels_max,
  }))
  .refine((given) => isInside(given, given.size_default), {
    path: ["size_default"],
    message: "it is outside of the model's own bounds",
  })
  .refine((given) => Object.values(given.sizes).every((each) => isInside(given, each)), {
    path: ["sizes"],
    message: "one is outside of the model's own bounds",
  });
