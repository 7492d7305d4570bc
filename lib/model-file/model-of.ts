/** A model as its rows have it, and as the product reads it. */

import { builtInOffers } from "../catalog/built-in";
import { ratioSizesOf } from "../catalog/image-sizes";
import {
  type ImageModel,
  type Model,
  type ModelBase,
  plainImages,
  type TextModel,
  type VideoModel,
} from "../catalog/model";
import { imageBounds, imageSpec } from "../contract/image-spec";
import { modelNames, textSpec, videoSpec } from "../contract/model-spec";

export interface ModelRow {
  readonly id: string;
  readonly family: Model["family"];
  readonly is_built_in: boolean;
  readonly state: Model["state"];
  readonly retires_at: Date | null;
  readonly replaced_by: string | null;
  readonly created_at: Date;
  readonly version: number;
  readonly version_id: string;
  readonly aliases: readonly string[];
  readonly names: unknown;
  readonly spec: unknown;
}

function textOf(base: ModelBase, stored: unknown): TextModel {
  const spec = textSpec.parse(stored);
  return {
    ...base,
    family: "text",
    outputTokensMax: spec.output_tokens_max,
    contextTokens: spec.context_tokens,
    inputTokensPerImageMax: spec.image_tokens_max,
    hasTools: spec.tools,
    hasReasoning: spec.reasoning,
    offers: spec.offers ?? {},
  };
}

function videoOf(base: ModelBase, stored: unknown): VideoModel {
  const { durations, ...given } = videoSpec.parse(stored);
  const spec = base.isBuiltIn ? { ...given, ...builtInOffers(base.id) } : given;
  const listed = Array.isArray(durations) ? durations : null;
  const [least, most, usual] = Array.isArray(durations)
    ? [Math.min(...durations), Math.max(...durations), durations[0] ?? 1]
    : [durations.min, durations.max, durations.default];
  return {
    ...base,
    family: "video",
    durationSecondsMin: least,
    durationSecondsMax: most,
    durationSecondsDefault: usual,
    durations: listed,
    resolutions: spec.resolutions,
    resolutionDefault: spec.resolution_default,
    ratios: spec.ratios,
    ratioDefault: spec.ratio_default,
    referenceImagesMax: spec.reference_images_max,
    audio: spec.audio,
    hasLastFrame: spec.last_frame ?? false,
    offers: spec.offers ?? {},
    sizeGeneration: spec.pixels,
  };
}

function imageOf(base: ModelBase, stored: unknown): ImageModel {
  const { sizes, ...spec } = imageSpec.parse(stored);
  const listed = Array.isArray(sizes) ? sizes : null;
  const bounds = imageBounds(spec, listed ?? []);
  return {
    ...base,
    family: "image",
    sidePixelsMin: bounds.side_pixels_min,
    sidePixelsMax: bounds.side_pixels_max,
    pixelsMax: bounds.pixels_max,
    referenceImagesMax: spec.reference_images_max,
    sizeDefault: spec.size_default,
    sizes: listed,
    qualities: spec.qualities ?? [],
    qualityDefault: spec.quality_default ?? null,
    ratioSizes: Array.isArray(sizes) ? ratioSizesOf(sizes) : sizes,
    options: {
      imagesMax: spec.images_max ?? plainImages.imagesMax,
      layersMax: spec.layers_max ?? plainImages.layersMax,
      sizeNames: spec.size_names ?? plainImages.sizeNames,
      formats: spec.output_formats ?? plainImages.formats,
      hasWatermark: spec.watermark ?? plainImages.hasWatermark,
      guidance: spec.guidance_scale ?? plainImages.guidance,
      promptModes: spec.prompt_modes ?? plainImages.promptModes,
      passes: spec.passes ?? plainImages.passes,
      tools: spec.tools ?? plainImages.tools,
    },
  };
}

const ofFamily = { text: textOf, video: videoOf, image: imageOf } as const;

/** Throws when the row is of a later version of the product. */
export function modelOf(row: ModelRow): Model {
  const [alias = row.id, ...synonyms] = row.aliases;
  return ofFamily[row.family](
    {
      id: row.id,
      alias,
      synonyms,
      createdAt: Math.floor(row.created_at.getTime() / 1000),
      versionId: row.version_id,
      state: row.state,
      retiresAt: row.retires_at?.getTime() ?? null,
      replacedBy: row.replaced_by,
      isBuiltIn: row.is_built_in,
      names: row.names === null ? null : modelNames.parse(row.names),
    },
    row.spec,
  );
}
