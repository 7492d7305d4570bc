/**
 * Every model as data. Nothing else in the project defines a model's name, limits, sizes or default
 * price. List prices are defaults that operators change.
 */
import type { Ratio, Resolution, SizeGeneration } from "./video-sizes";

interface ModelBase {
  /** The public identifier of the model. */
  readonly id: string;
  /** The ASCII-only name that is also accepted. */
  readonly alias: string;
  /** Other accepted spellings. */
  readonly synonyms: readonly string[];
  /** When the model was first offered, in epoch seconds. */
  readonly createdAt: number;
  /** The default list price, in points per million tokens. */
  readonly defaultPrice: { readonly input?: string; readonly output: string };
}

export interface TextModel extends ModelBase {
  readonly family: "text";
  /** The most tokens of one answer. */
  readonly outputTokensMax: number;
  /** The most input tokens that one image in a message may count. */
  readonly inputTokensPerImageMax: number;
}

export interface VideoModel extends ModelBase {
  readonly family: "video";
  readonly durationSecondsMin: number;
  readonly durationSecondsMax: number;
  readonly durationSecondsDefault: number;
  readonly resolutions: readonly Resolution[];
  readonly resolutionDefault: Resolution;
  readonly ratios: readonly Ratio[];
  readonly ratioDefault: Ratio;
  /** 0 when the model takes no reference images. */
  readonly referenceImagesMax: number;
  readonly hasAudio: boolean;
  readonly sizeGeneration: SizeGeneration;
}

export interface ImageModel extends ModelBase {
  readonly family: "image";
  readonly sidePixelsMin: number;
  readonly sidePixelsMax: number;
  readonly pixelsMax: number;
  readonly referenceImagesMax: number;
  readonly sizeDefault: string;
  readonly ratioSizes: Readonly<Record<string, string>>;
}

export type Model = TextModel | VideoModel | ImageModel;

const offeredAt = 1_767_225_600; // 2026-01-01
const allRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"] as const;

const videoBase = {
  family: "video",
  synonyms: [],
  createdAt: offeredAt,
  durationSecondsMax: 12,
  durationSecondsDefault: 5,
  resolutions: ["480p", "720p", "1080p"],
  resolutionDefault: "720p",
  ratios: allRatios,
  ratioDefault: "16:9",
  referenceImagesMax: 0,
  hasAudio: false,
  sizeGeneration: "second",
} as const;

export const models: readonly Model[] = [
  {
    family: "text",
    id: "RelayV1",
    alias: "relay-v1",
    synonyms: [],
    createdAt: offeredAt,
    defaultPrice: { input: "80", output: "800" },
    outputTokensMax: 16_384,
    inputTokensPerImageMax: 4_096,
  },
  {
    ...videoBase,
    id: "Super-Relay",
    alias: "super-relay",
    durationSecondsMin: 3,
    sizeGeneration: "first",
    defaultPrice: { output: "1500" },
  },
  {
    ...videoBase,
    id: "Super-RelayFast",
    alias: "super-relay-fast",
    durationSecondsMin: 3,
    sizeGeneration: "first",
    defaultPrice: { output: "420" },
  },
  {
    ...videoBase,
    id: "Super-Relay1.5",
    alias: "super-relay-1.5",
    synonyms: ["super-relay-1-5"],
    durationSecondsMin: 5,
    defaultPrice: { output: "1600" },
  },
  {
    ...videoBase,
    id: "Super-Relay2.0",
    alias: "super-relay-2",
    synonyms: ["super-relay-2.0", "super-relay-2-0"],
    durationSecondsMin: 5,
    referenceImagesMax: 4,
    hasAudio: true,
    defaultPrice: { output: "4600" },
  },
  {
    ...videoBase,
    id: "Super-Relay2.0Fast",
    alias: "super-relay-2-fast",
    synonyms: ["super-relay-2.0-fast", "super-relay-2-0-fast"],
    durationSecondsMin: 5,
    referenceImagesMax: 4,
    hasAudio: true,
    defaultPrice: { output: "3700" },
  },
  {
    ...videoBase,
    id: "Super-Relay2.5",
    alias: "super-relay-2.5",
    synonyms: ["super-relay-2-5"],
    durationSecondsMin: 5,
    durationSecondsMax: 15,
    resolutions: ["480p", "720p"],
    referenceImagesMax: 4,
    hasAudio: true,
    defaultPrice: { output: "6000" },
  },
  {
    family: "image",
    id: "Super-Relay-Image",
    alias: "super-relay-img",
    synonyms: [],
    createdAt: offeredAt,
    defaultPrice: { output: "1220" },
    sidePixelsMin: 512,
    sidePixelsMax: 4096,
    pixelsMax: 4096 * 4096,
    referenceImagesMax: 4,
    sizeDefault: "2048x2048",
    ratioSizes: {
      "1:1": "2048x2048",
      "4:3": "2304x1728",
      "3:4": "1728x2304",
      "16:9": "2560x1440",
      "9:16": "1440x2560",
      "3:2": "2496x1664",
      "2:3": "1664x2496",
      "21:9": "3024x1296",
    },
  },
];

const byName = new Map<string, Model>();
for (const model of models) {
  for (const name of [model.id, model.alias, ...model.synonyms]) byName.set(name, model);
}

type ModelOf<Family extends Model["family"]> = Extract<Model, { readonly family: Family }>;

const isOf = <Family extends Model["family"]>(
  family: Family,
  model: Model,
): model is ModelOf<Family> => model.family === family;

/** The first model of the family that fits. Throws when the catalogue has none. */
export function firstModelOf<Family extends Model["family"]>(
  family: Family,
  fits: (model: ModelOf<Family>) => boolean = () => true,
): ModelOf<Family> {
  for (const model of models) if (isOf(family, model) && fits(model)) return model;
  throw new Error(`the catalogue has no such ${family} model`);
}

/** The model for an identifier, alias or synonym; undefined when there is none. */
export function findModel(name: string): Model | undefined {
  return byName.get(name);
}
