/** A model of the catalogue, as everything in the product reads it. */
import type { TextOffers } from "./text-offers";
import type { VideoOffers } from "./video-offers";
import type { Ratio, Resolution, SizeGeneration } from "./video-sizes";

/**
 * A draft is known to operators only. A model that is retiring is served until its date, and one
 * that has retired no longer.
 */
type ModelState = "draft" | "offered" | "retiring" | "retired";

interface ModelText {
  readonly title: string;
  readonly sentence: string;
}

/** In one language at least. */
export interface ModelNames {
  readonly en?: ModelText | undefined;
  readonly "zh-CN"?: ModelText | undefined;
}

/** What models of every family have. */
export interface ModelBase {
  /** The public identifier of the model. */
  readonly id: string;
  /** The other name that pages show; the identifier where there is none. */
  readonly alias: string;
  /** Other accepted spellings. */
  readonly synonyms: readonly string[];
  /** When the model was made, in epoch seconds. */
  readonly createdAt: number;
  /** The version that these facts are of; null for those in the source. */
  readonly versionId: string | null;
  readonly state: ModelState;
  /** Epoch milliseconds; null unless it is retiring. */
  readonly retiresAt: number | null;
  /** The identifier of the model to use instead. */
  readonly replacedBy: string | null;
  readonly isBuiltIn: boolean;
  /** By language; null where the pages have their own words. */
  readonly names: ModelNames | null;
}

export interface TextModel extends ModelBase {
  readonly family: "text";
  readonly outputTokensMax: number;
  /** The most tokens of a request and its answer; null where nobody said. */
  readonly contextTokens: number | null;
  /** The most input tokens that one image may count; null when it takes no images. */
  readonly inputTokensPerImageMax: number | null;
  readonly hasTools: boolean;
  readonly hasReasoning: boolean;
  /** What it offers beside that. */
  readonly offers: TextOffers;
}

export interface VideoModel extends ModelBase {
  readonly family: "video";
  readonly durationSecondsMin: number;
  readonly durationSecondsMax: number;
  readonly durationSecondsDefault: number;
  /** The only lengths that it makes; null when it makes every one between. */
  readonly durations: readonly number[] | null;
  readonly resolutions: readonly Resolution[];
  readonly resolutionDefault: Resolution;
  readonly ratios: readonly Ratio[];
  readonly ratioDefault: Ratio;
  /** 0 when the model takes no reference images. */
  readonly referenceImagesMax: number;
  readonly audio: boolean;
  /** Whether a video may be told its last frame beside its first. */
  readonly hasLastFrame: boolean;
  /** What it offers beside that. */
  readonly offers: VideoOffers;
  readonly sizeGeneration: SizeGeneration;
}

/** What an order of images may ask for besides the size and the quality. */
export interface ImageOptions {
  /** The most images of one call. */
  readonly imagesMax: number;
  /** The most layers into which it takes an image apart, with the picture behind; null where it does not. */
  readonly layersMax: number | null;
  /** Sizes that have a name, such as 2K, with the most pixels that they come in. */
  readonly sizeNames: Readonly<Record<string, string>>;
  /** The file formats that it can be asked for; empty where it has one. */
  readonly formats: readonly string[];
  readonly hasWatermark: boolean;
  /** How closely the prompt is followed; null where that cannot be chosen. */
  readonly guidance: { readonly min: number; readonly max: number } | null;
  /** The ways in which the prompt is improved; empty where that cannot be chosen. */
  readonly promptModes: readonly string[];
  /** Fields that reach its upstream as they came. */
  readonly passes: readonly string[];
  /** Tools that run at its upstream; null for none. */
  readonly tools: { readonly types: readonly string[]; readonly calls_max: number } | null;
}

/** One image, of a size in pixels. */
export const plainImages: ImageOptions = {
  imagesMax: 1,
  layersMax: null,
  sizeNames: {},
  formats: [],
  hasWatermark: false,
  guidance: null,
  promptModes: [],
  passes: [],
  tools: null,
};

export interface ImageModel extends ModelBase {
  readonly family: "image";
  readonly sidePixelsMin: number;
  readonly sidePixelsMax: number;
  readonly pixelsMax: number;
  readonly referenceImagesMax: number;
  readonly sizeDefault: string;
  /** The only sizes that it makes; null when it makes every one within its bounds. */
  readonly sizes: readonly string[] | null;
  /** What it can be ordered in; empty when it has one quality only. */
  readonly qualities: readonly string[];
  /** Null when it has none. */
  readonly qualityDefault: string | null;
  readonly ratioSizes: Readonly<Record<string, string>>;
  readonly options: ImageOptions;
}

export type Model = TextModel | VideoModel | ImageModel;
export type ModelOf<Family extends Model["family"]> = Extract<Model, { readonly family: Family }>;

/** Every name that a request may use for the model, its identifier first. */
export const namesOf = ({ id, alias, synonyms }: Model): string[] => [
  ...new Set([id, alias, ...synonyms]),
];
