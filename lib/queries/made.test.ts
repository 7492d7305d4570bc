import { expect, test } from "vitest";
import { madeView } from "./made";

const nothing = { resolution: null, ratio: null, seconds: null, width: null, height: null };

test("an order without parameters has none, and the ratio of a first frame is no ratio", () => {
  expect(madeView({})).toEqual({ ...nothing, hasAudio: false });
  expect(madeView({ ratio: "adaptive", resolution: "720p", generateAudio: true })).toEqual({
    ...nothing,
    resolution: "720p",
    hasAudio: true,
  });
});
