/**
 * The pixel size of a video by resolution and ratio, and its tokens. The first generation
 * (`Super-Relay`, `Super-RelayFast`) renders slightly different sizes from the later ones.
 */
import { isKeyOf, keysOf } from "../values/records";

export type Resolution = "480p" | "720p" | "1080p" | "2k" | "4k";
export type Ratio = "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "21:9";
export type SizeGeneration = "first" | "second";
export type PixelSize = readonly [width: number, height: number];

export const FRAMES_PER_SECOND = 24;

type Sizes = Record<Ratio, PixelSize>;

/** What both generations render above 1080p: twice the sides of the second's 720p and 1080p. */
const large: Record<"2k" | "4k", Sizes> = {
  "2k": {
    "16:9": [2560, 1440],
    "4:3": [2224, 1668],
    "1:1": [1920, 1920],
    "3:4": [1668, 2224],
    "9:16": [1440, 2560],
    "21:9": [2940, 1260],
  },
  "4k": {
    "16:9": [3840, 2160],
    "4:3": [3328, 2496],
    "1:1": [2880, 2880],
    "3:4": [2496, 3328],
    "9:16": [2160, 3840],
    "21:9": [4412, 1892],
  },
};

const sizes: Record<SizeGeneration, Record<Resolution, Sizes>> = {
  first: {
    ...large,
    "480p": {
      "16:9": [864, 480],
      "4:3": [736, 544],
      "1:1": [640, 640],
      "3:4": [544, 736],
      "9:16": [480, 864],
      "21:9": [960, 416],
    },
    "720p": {
      "16:9": [1248, 704],
      "4:3": [1120, 832],
      "1:1": [960, 960],
      "3:4": [832, 1120],
      "9:16": [704, 1248],
      "21:9": [1504, 640],
    },
    "1080p": {
      "16:9": [1920, 1088],
      "4:3": [1664, 1248],
      "1:1": [1440, 1440],
      "3:4": [1248, 1664],
      "9:16": [1088, 1920],
      "21:9": [2176, 928],
    },
  },
  second: {
    ...large,
    "480p": {
      "16:9": [864, 496],
      "4:3": [752, 560],
      "1:1": [640, 640],
      "3:4": [560, 752],
      "9:16": [496, 864],
      "21:9": [992, 432],
    },
    "720p": {
      "16:9": [1280, 720],
      "4:3": [1112, 834],
      "1:1": [960, 960],
      "3:4": [834, 1112],
      "9:16": [720, 1280],
      "21:9": [1470, 630],
    },
    "1080p": {
      "16:9": [1920, 1080],
      "4:3": [1664, 1248],
      "1:1": [1440, 1440],
      "3:4": [1248, 1664],
      "9:16": [1080, 1920],
      "21:9": [2206, 946],
    },
  },
};

/** The width and height in pixels that a model of `generation` renders. */
export function videoSize(
  generation: SizeGeneration,
  resolution: Resolution,
  ratio: Ratio,
): PixelSize {
  return sizes[generation][resolution][ratio];
}

/** How long a number of frames lasts: the first frame is at second 0. */
export const secondsOfFrames = (frames: number) => (frames - 1) / FRAMES_PER_SECOND;

/** Tokens of a video: width × height × (24 × seconds + 1) / 1024, rounded up. */
export function videoTokens([width, height]: PixelSize, durationSeconds: number): number {
  const frames = Math.round(FRAMES_PER_SECOND * durationSeconds) + 1;
  return Math.ceil((width * height * frames) / 1024);
}

/**
 * The most tokens that any ratio of either generation counts at `resolution`: the basis of a hold.
 */
export function videoTokensMax(resolution: Resolution, durationSeconds: number): number {
  let most = 0;
  for (const generation of ["first", "second"] as const) {
    for (const size of Object.values(sizes[generation][resolution]))
      most = Math.max(most, videoTokens(size, durationSeconds));
  }
  return most;
}

/** A size that an order may name, such as `1280x720`. */
export interface NamedSize {
  readonly resolution: Resolution;
  readonly ratio: Ratio;
}

/** Usual sizes that no model makes, with the nearest that is made. */
const usualSizes: Readonly<Record<string, NamedSize>> = {
  "854x480": { resolution: "480p", ratio: "16:9" },
  "480x854": { resolution: "480p", ratio: "9:16" },
  "640x480": { resolution: "480p", ratio: "4:3" },
  "480x640": { resolution: "480p", ratio: "3:4" },
  "480x480": { resolution: "480p", ratio: "1:1" },
  "720x720": { resolution: "720p", ratio: "1:1" },
  "1024x1024": { resolution: "720p", ratio: "1:1" },
  "960x720": { resolution: "720p", ratio: "4:3" },
  "720x960": { resolution: "720p", ratio: "3:4" },
  "1792x1024": { resolution: "1080p", ratio: "16:9" },
  "1024x1792": { resolution: "1080p", ratio: "9:16" },
  "1080x1080": { resolution: "1080p", ratio: "1:1" },
  "1440x1080": { resolution: "1080p", ratio: "4:3" },
  "1080x1440": { resolution: "1080p", ratio: "3:4" },
};

const sizeNames: Record<string, NamedSize> = { ...usualSizes };
for (const byResolution of Object.values(sizes)) {
  for (const resolution of keysOf(byResolution)) {
    for (const ratio of keysOf(byResolution[resolution]))
      sizeNames[byResolution[resolution][ratio].join("x")] = { resolution, ratio };
  }
}

/** The resolution and ratio of a size that an order names; undefined for any other text. */
export const videoSizeNamed = (text: string): NamedSize | undefined =>
  isKeyOf(sizeNames, text) ? sizeNames[text] : undefined;

/** The names of the sizes in these resolutions: first those of `generation`, then usual ones. */
export function videoSizeNames(
  generation: SizeGeneration,
  resolutions: readonly Resolution[],
): string[] {
  const own = resolutions.flatMap((resolution) =>
    Object.values(sizes[generation][resolution]).map((size) => size.join("x")),
  );
  const usual = Object.keys(usualSizes).filter((name) =>
    resolutions.some((resolution) => usualSizes[name]?.resolution === resolution),
  );
  return [...own, ...usual];
}
