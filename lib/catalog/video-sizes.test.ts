import { expect, test } from "vitest";
import { builtInModels as models } from "./built-in";
import {
  type Resolution,
  videoSize,
  videoSizeNamed,
  videoSizeNames,
  videoTokens,
  videoTokensMax,
} from "./video-sizes";

test.each([
  ["480p", 5, 50_639],
  ["720p", 5, 113_740],
  ["1080p", 5, 246_840],
  ["1080p", 12, 589_560],
] as const)("the most tokens of %s for %d s are %d", (resolution, seconds, tokens) => {
  expect(videoTokensMax(resolution, seconds)).toBe(tokens);
});

test("no size of any model has more tokens than its tier's maximum", () => {
  for (const model of models) {
    if (model.family !== "video") continue;
    for (const resolution of model.resolutions as readonly Resolution[]) {
      for (const ratio of model.ratios) {
        for (
          let seconds = model.durationSecondsMin;
          seconds <= model.durationSecondsMax;
          seconds++
        ) {
          const tokens = videoTokens(videoSize(model.sizeGeneration, resolution, ratio), seconds);
          expect(tokens).toBeLessThanOrEqual(videoTokensMax(resolution, seconds));
        }
      }
    }
  }
});

test("the name of every size that a model makes is its resolution and ratio", () => {
  for (const model of models) {
    if (model.family !== "video") continue;
    const names = videoSizeNames(model.sizeGeneration, model.resolutions);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(model.resolutions).toContain(videoSizeNamed(name)?.resolution);
    for (const resolution of model.resolutions)
      for (const ratio of model.ratios) {
        const size = videoSize(model.sizeGeneration, resolution, ratio);
        expect(videoSizeNamed(size.join("x"))).toEqual({ resolution, ratio });
      }
  }
});

test("a usual size is the tier and the ratio that are nearest to it", () => {
  const far: string[] = [];
  for (const name of videoSizeNames("second", ["480p", "720p", "1080p"])) {
    const named = videoSizeNamed(name);
    const [width = 0, height = 0] = name.split("x").map(Number);
    const [across = 1, down = 1] = (named?.ratio ?? "").split(":").map(Number);
    if (Math.abs(width / height / (across / down) - 1) > 0.04) far.push(name);
  }
  expect(far).toEqual([]);
  expect(videoSizeNamed("1792x1024")).toEqual({ resolution: "1080p", ratio: "16:9" });
  for (const none of ["", "100x100", "constructor", "1280X720", "720p"])
    expect(videoSizeNamed(none)).toBeUndefined();
});
