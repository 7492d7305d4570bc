/**
 * The models of the service's specification, as a migration made them: the seed of the catalogue,
 * with the prices that a new installation begins with. A test compares the rows with this list.
 */

import { isKeyOf } from "../values/records";
import { type Model, plainImages } from "./model";
import type { VideoOffers } from "./video-offers";

/** `defaultPrice`: the first list price, in points per million tokens; operators change it. */
type BuiltInModel = Model & {
  readonly defaultPrice: { readonly input?: string; readonly output: string };
};

const offeredAt = 1_767_225_600; // 2026-01-01
const allRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"] as const;

const base = {
  synonyms: [],
  createdAt: offeredAt,
  versionId: null,
  state: "offered",
  retiresAt: null,
  replacedBy: null,
  isBuiltIn: true,
  names: null,
} as const;

const videoBase = {
  ...base,
  family: "video",
  durations: null,
  durationSecondsMax: 12,
  durationSecondsDefault: 5,
  resolutions: ["480p", "720p", "1080p"],
  resolutionDefault: "720p",
  ratios: allRatios,
  ratioDefault: "16:9",
  referenceImagesMax: 0,
  audio: false,
  sizeGeneration: "second",
} as const;

interface BuiltInOffers {
  readonly last_frame: boolean;
  readonly offers: VideoOffers;
}

const secondOffers: VideoOffers = {
  input_audios_max: 3,
  adaptive_ratio: true,
  auto_duration: true,
  priority: true,
  tools: { types: ["web_search"], calls_max: 5 },
};

/**
 * What the specification leaves open, and the upstream generation of each model makes. Nothing is
 * made from a video: the specification does not bill input.
 */
const offersOf = {
  "Super-Relay": { last_frame: true, offers: { frames: true, flex: true } },
  "Super-RelayFast": { last_frame: false, offers: { frames: true, flex: true } },
  "Super-Relay1.5": {
    last_frame: true,
    offers: { adaptive_ratio: true, auto_duration: true, draft: true, flex: true },
  },
  "Super-Relay2.0": { last_frame: true, offers: secondOffers },
  "Super-Relay2.0Fast": { last_frame: true, offers: secondOffers },
  "Super-Relay2.5": { last_frame: true, offers: secondOffers },
} as const satisfies Record<string, BuiltInOffers>;

/** In the words of a model's spec, which a migration has fixed without them. */
export const builtInOffers = (id: string): BuiltInOffers =>
  isKeyOf(offersOf, id) ? offersOf[id] : { last_frame: false, offers: {} };

const videoOf = (id: keyof typeof offersOf) => ({
  id,
  hasLastFrame: offersOf[id].last_frame,
  offers: offersOf[id].offers,
});

export const builtInModels: readonly BuiltInModel[] = [
  {
    ...base,
    family: "text",
    id: "RelayV1",
    alias: "relay-v1",
    defaultPrice: { input: "80", output: "800" },
    outputTokensMax: 16_384,
    contextTokens: null,
    inputTokensPerImageMax: 4_096,
    hasTools: true,
    hasReasoning: true,
    offers: {},
  },
  {
    ...videoBase,
    ...videoOf("Super-Relay"),
    alias: "super-relay",
    durationSecondsMin: 3,
    sizeGeneration: "first",
    defaultPrice: { output: "1500" },
  },
  {
    ...videoBase,
    ...videoOf("Super-RelayFast"),
    alias: "super-relay-fast",
    durationSecondsMin: 3,
    sizeGeneration: "first",
    defaultPrice: { output: "420" },
  },
  {
    ...videoBase,
    ...videoOf("Super-Relay1.5"),
    alias: "super-relay-1.5",
    synonyms: ["super-relay-1-5"],
    durationSecondsMin: 5,
    defaultPrice: { output: "1600" },
  },
  {
    ...videoBase,
    ...videoOf("Super-Relay2.0"),
    alias: "super-relay-2",
    synonyms: ["super-relay-2.0", "super-relay-2-0"],
    durationSecondsMin: 5,
    referenceImagesMax: 4,
    audio: true,
    defaultPrice: { output: "4600" },
  },
  {
    ...videoBase,
    ...videoOf("Super-Relay2.0Fast"),
    alias: "super-relay-2-fast",
    synonyms: ["super-relay-2.0-fast", "super-relay-2-0-fast"],
    durationSecondsMin: 5,
    referenceImagesMax: 4,
    audio: true,
    defaultPrice: { output: "3700" },
  },
  {
    ...videoBase,
    ...videoOf("Super-Relay2.5"),
    alias: "super-relay-2.5",
    synonyms: ["super-relay-2-5"],
    durationSecondsMin: 5,
    durationSecondsMax: 15,
    resolutions: ["480p", "720p"],
    referenceImagesMax: 4,
    audio: true,
    defaultPrice: { output: "6000" },
  },
  {
    ...base,
    family: "image",
    id: "Super-Relay-Image",
    alias: "super-relay-img",
    defaultPrice: { output: "1220" },
    sidePixelsMin: 512,
    sidePixelsMax: 4096,
    pixelsMax: 4096 * 4096,
    referenceImagesMax: 4,
    sizeDefault: "2048x2048",
    sizes: null,
    qualities: [],
    qualityDefault: null,
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
    options: plainImages,
  },
];
