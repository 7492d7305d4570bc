import { expect, test } from "vitest";
import { settingsView } from "./result-settings";

const nothing = { resolution: null, ratio: null, seconds: null, width: null, height: null };

test("an order without parameters has none, and the ratio of a first frame is no ratio", () => {
  expect(settingsView({})).toEqual({ ...nothing, generateAudio: false });
  expect(settingsView({ ratio: "adaptive", resolution: "720p", generateAudio: true })).toEqual({
    ...nothing,
    resolution: "720p",
    generateAudio: true,
  });
});
