import { expect, test } from "vitest";
import { parsePrompt } from "./video-flags";

const all = { resolution: "480p", duration: 7, ratio: "9:16", seed: 11, camera_fixed: true, watermark: false };

test.each([
  ["long names", "a cat --resolution 480p --duration 7 --ratio 9:16 --seed 11 --camerafixed true --watermark false"],
  ["short names", "a cat --rs 480p --dur 7 --rt 9:16 --seed 11 --cf true --wm false"],
  ["upper case", "a cat --RESOLUTION 480P --Duration 7 --RaTio 9:16 --SEED 11 --CameraFixed TRUE --WaterMark False"],
  ["tabs and newlines", "a cat\n--rs\t480p\r\n--dur\n7\n\n--rt 9:16\t--seed  11 --cf\ttrue --wm\nfalse\n"],
  ["equals signs", "a cat --rs=480p --dur = 7 --rt= 9:16 --seed =11 --camera-fixed=true --camera_fixed=true --wm=false"],
  ["no space before", "a cat--rs 480p --dur=7 --rt 9:16 --seed 11 --cf true --wm false"],
  ["typographic dashes", "a cat —rs 480p ——dur 7 －－rt 9:16 –seed 11 —cf true --wm false"],
  ["any order, twice the same", "a cat --wm false --dur 7 --cf true --rs 480p --rt 9:16 --seed 11 --dur 7 --fps 24"],
])("flags at the end of a prompt are read and removed: %s", (_, text) => {
  const { prompt, flags, fault } = parsePrompt(text);
  expect(fault).toBeNull();
  expect(prompt).toBe("a cat");
  expect(flags).toEqual(all);
});

test.each([
  "a cat --resolution 480p jumps",
  "a sign reading --open the door",
  "mother-in-law -- a portrait",
  "a -- b",
  "two -- 5",
  "---",
  "",
])("what is not at the end is prompt: %j", (text) => {
  expect(parsePrompt(text)).toMatchObject({ prompt: text, flags: {}, fault: null });
});

test.each([
  ["a cat --speed 5", /--speed/],
  ["a cat --resolution", /--resolution/],
  ["a cat --dur 5 --wm", /--wm/],
  ["a cat --dur five", /--dur five/],
  ["a cat --dur 5.5", /--dur 5.5/],
  ["a cat --cf maybe", /--cf maybe/],
  ["a cat --seed 4294967296", /--seed 4294967296/],
  ["a cat --fps 30", /--fps 30/],
  ["a cat --frames 57", /--frames/],
  ["a cat --dur 5 --duration 6", /--dur 5/],
  ["a cat --unknown=1 --dur 5", /--unknown/],
])("an unknown flag or a bad value at the end is named: %s", (text, naming) => {
  expect(parsePrompt(text).fault?.flag).toMatch(naming);
});

test("a lenient reading leaves unknown flags in the prompt and takes the known ones", () => {
  expect(parsePrompt("a --cat x --dur 5", true)).toMatchObject({ prompt: "a --cat x", flags: { duration: 5 }, fault: null });
});

test("no prompt takes long to read", () => {
  const startedAt = performance.now();
  for (const text of [
    "--a".repeat(6000),
    "- ".repeat(9000),
    "--dur ".repeat(3000),
    "—rs".repeat(6000),
    "--rs=480p ".repeat(2000),
    " ".repeat(20_000),
  ])
    parsePrompt(text);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
