import { expect, test } from "vitest";
import { models } from "./models";
import { type Resolution, videoSize, videoTokens, videoTokensMax } from "./video-sizes";

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
