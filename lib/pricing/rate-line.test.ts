import { expect, test } from "vitest";
import type { Rate } from "./rate";
import { rateLine } from "./rate-line";

test.each<[string, Rate]>([
  ["input_token 100", { unit: "input_token", amount: 100_000_000n }],
  ["output_token 0.000001", { unit: "output_token", amount: 1n }],
  [
    "image size=1024x1024 quality=high 20",
    { unit: "image", size: "1024x1024", quality: "high", amount: 20_000_000n },
  ],
  [
    "second resolution=1080p audio=yes 30.5",
    { unit: "second", resolution: "1080p", audio: true, amount: 30_500_000n },
  ],
  [
    "video_token resolution=4k audio=no input_video=yes tier=flex 14",
    {
      unit: "video_token",
      resolution: "4k",
      audio: false,
      input_video: true,
      tier: "flex",
      amount: 14_000_000n,
    },
  ],
  [
    "input_token input_from=200000 hours=16:30-00:30 6",
    { unit: "input_token", input_from: 200_000, hours: "16:30-00:30", amount: 6_000_000n },
  ],
  ["request 0", { unit: "request", amount: 0n }],
])("%s is the line of its rate", (line, rate) => {
  expect(rateLine(rate)).toBe(line);
});
