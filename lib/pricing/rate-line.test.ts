import { expect, test } from "vitest";
import { parseRateLine, rateLine } from "./rate-line";

test.each([
  "input_token 100",
  "output_token 0.000001",
  "image size=1024x1024 quality=high 20",
  "second resolution=1080p audio=yes 30.5",
  "video_token resolution=4k audio=no input_video=yes tier=flex 14",
  "tool_call 2",
  "request 0",
])("%s is read and written alike", (line) => {
  const rate = parseRateLine(line);
  expect(rate && rateLine(rate)).toBe(line);
});

test("sound is said as refusals and files say it too", () => {
  for (const [word, audio] of [
    ["yes", true],
    ["true", true],
    ["no", false],
    ["false", false],
  ] as const)
    expect(parseRateLine(` second  audio=${word} 3`)).toEqual({
      unit: "second",
      audio,
      amount: 3_000_000n,
    });
});

test.each([
  "",
  "second",
  "seconds 3",
  "second 3 points",
  "second -3",
  "second audio=loud 3",
  "second audio= 3",
  "second audio=yes audio=no 3",
  "second length=4 3",
  "output_token 0.0000001",
])("%j is no rate", (line) => {
  expect(parseRateLine(line)).toBeNull();
});
