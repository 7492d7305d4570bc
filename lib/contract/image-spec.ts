/** What an image model can do and what it allows: see `model-spec.ts`. */
import { z } from "zod";
import { parseImageSize } from "../catalog/image-sizes";
import { recordOf } from "./bounds";
import { hostedTools } from "./hosted-tools";
import { IMAGES_A_CALL_MAX, LAYERS_MAX, QUALITIES_MAX, SIZE_NAMES_MAX, SIZES_MAX } from "./limits";
import { IMAGES_MAX, imageFormats, overlays, passedImageFields, promptModes } from "./media-fields";
import { SELECTOR_LENGTH_MAX, selectorForm } from "./units";

const SIDE_MIN = 64;
const SIDE_MAX = 16_384;
const SIDE_MIN_DEFAULT = 512;
const SIDE_MAX_DEFAULT = 4096;
const SIZE_CHARACTERS_MAX = 11;
const RATIO_CHARACTERS_MAX = 11;
const SIZE_NAME_CHARACTERS_MAX = 3;
const GUIDANCE_MAX = 100;

const isOnce = (given: readonly string[]) => new Set(given).size === given.length;
const once = "it must not name one twice";

const side = z.int().min(SIDE_MIN).max(SIDE_MAX);
const size = z
  .string()
  .max(SIZE_CHARACTERS_MAX)
  .refine((text) => parseImageSize(text) !== null, "it must be <width>x<height> in pixels");
const isRatio = (text: string) => /^[1-9]\d{0,4}:[1-9]\d{0,4}$/.test(text);
const sizeByRatio = recordOf(size, SIZES_MAX, RATIO_CHARACTERS_MAX).refine(
  (given) => Object.keys(given).every(isRatio),
  "its names must be <width>:<height>",
);

const isListedSize = (text: string) => {
  const sides = parseImageSize(text) ?? [];
  return (
    sides.join("x") === text && sides.every((pixels) => pixels >= SIDE_MIN && pixels <= SIDE_MAX)
  );
};
/** The only sizes, the default first. */
const listedSizes = z
  .array(
    z
      .string()
      .max(SIZE_CHARACTERS_MAX)
      .refine(
        isListedSize,
        `it must be <width>x<height>, each side ${SIDE_MIN} to ${SIDE_MAX} pixels`,
      ),
  )
  .min(1)
  .max(SIZES_MAX)
  .refine(isOnce, once);

const quality = z
  .string()
  .min(1)
  .max(SELECTOR_LENGTH_MAX)
  .regex(selectorForm, "it must have only letters, digits and . _ : -")
  .refine((text) => text !== "auto", "auto means the default: it is no quality of its own");

/** What a size with a name comes in at most. */
const sizeNames = recordOf(size, SIZE_NAMES_MAX, SIZE_NAME_CHARACTERS_MAX).refine(
  (given) => Object.keys(given).every((name) => /^[1-9][0-9]?K$/.test(name)),
  "its names must be such as 1K, 2K and 4K",
);

const guidance = z
  .strictObject({
    min: z.number().min(0).max(GUIDANCE_MAX),
    max: z.number().min(0).max(GUIDANCE_MAX),
  })
  .refine(({ min, max }) => min <= max, "min must not be above max");

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

/** The bounds that are named; those of the listed sizes, or the family's, for the others. */
export function imageBounds(
  named: { readonly [Name in keyof Bounds]?: number | undefined },
  listed: readonly string[],
): Bounds {
  const sizes = listed.map((text) => parseImageSize(text) ?? [0, 0]);
  const sides = sizes.flat();
  const [least, most] =
    sides.length > 0
      ? [Math.min(...sides), Math.max(...sides)]
      : [SIDE_MIN_DEFAULT, SIDE_MAX_DEFAULT];
  const longest = named.side_pixels_max ?? most;
  const pixels = sizes.map(([width = 0, height = 0]) => width * height);
  return {
    side_pixels_min: named.side_pixels_min ?? least,
    side_pixels_max: longest,
    pixels_max: named.pixels_max ?? (sides.length > 0 ? Math.max(...pixels) : longest * longest),
  };
}

const listOf = (sizes: object): readonly string[] => (Array.isArray(sizes) ? sizes : []);

/** What an order may ask for besides the size and the quality. */
export const imageOptions = z.object({
  images_max: z.int().min(1).max(IMAGES_A_CALL_MAX).optional(),
  /** With the picture behind them. */
  layers_max: z.int().min(2).max(LAYERS_MAX).optional(),
  size_names: sizeNames.optional(),
  output_formats: z
    .array(z.enum(imageFormats))
    .min(1)
    .max(imageFormats.length)
    .refine(isOnce, once)
    .optional(),
  watermark: z.boolean().optional(),
  guidance_scale: guidance.optional(),
  prompt_modes: z
    .array(z.enum(promptModes))
    .min(1)
    .max(promptModes.length)
    .refine(isOnce, once)
    .optional(),
  passes: z
    .array(z.enum([...passedImageFields, ...overlays]))
    .min(1)
    .max(passedImageFields.length + overlays.length)
    .refine(isOnce, once)
    .optional(),
  tools: hostedTools.optional(),
});

export const imageSpec = z
  .strictObject({
    side_pixels_min: side.optional(),
    side_pixels_max: side.optional(),
    pixels_max: z.int().min(64).optional(),
    reference_images_max: z.int().min(0).max(IMAGES_MAX).default(0),
    size_default: size.optional(),
    sizes: z
      .union([listedSizes, sizeByRatio], {
        error: `it must be a list of 1 to ${SIZES_MAX} sizes such as 1024x1024, or name a size for each ratio such as 16:9`,
      })
      .default({}),
    qualities: z.array(quality).min(1).max(QUALITIES_MAX).refine(isOnce, once).optional(),
    quality_default: quality.optional(),
    ...imageOptions.shape,
  })
  .refine((given) => given.size_default !== undefined || listOf(given.sizes).length > 0, {
    path: ["size_default"],
    message: "it must be <width>x<height> in pixels, unless sizes is a list",
  })
  .transform(({ qualities, quality_default, size_default, ...given }) => {
    const listed = listOf(given.sizes);
    return {
      ...given,
      // A list has bounds of its own, which grow with it.
      ...(listed.length === 0 && imageBounds(given, listed)),
      size_default: size_default ?? listed[0] ?? "",
      // Absent where there are none, so that an earlier release reads these rows too.
      ...(qualities && { qualities }),
      ...((quality_default ?? qualities) && { quality_default: quality_default ?? qualities?.[0] }),
    };
  })
  .refine((given) => isInside(imageBounds(given, listOf(given.sizes)), given.size_default), {
    path: ["size_default"],
    message: "it is outside of the model's own bounds",
  })
  .refine(
    (given) => {
      const bounds = imageBounds(given, listOf(given.sizes));
      return Object.values(given.sizes).every((each) => isInside(bounds, each));
    },
    { path: ["sizes"], message: "one is outside of the model's own bounds" },
  )
  .refine(
    ({ sizes, size_default }) => !Array.isArray(sizes) || listOf(sizes).includes(size_default),
    { path: ["size_default"], message: "it must be one of the sizes" },
  )
  .refine(
    ({ qualities = [], quality_default }) =>
      quality_default === undefined || qualities.includes(quality_default),
    { path: ["quality_default"], message: "it must be one of the qualities" },
  );
