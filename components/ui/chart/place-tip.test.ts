import { expect, test } from "vitest";
import { tipLeft } from "./place-tip";

test("a tip is beside its column, at its right, or at its left where the drawing ends", () => {
  // Ten columns of 90 pixels, the first at 46.
  expect(tipLeft(0, 10, 946, 200)).toBe(144);
  expect(tipLeft(6, 10, 946, 200)).toBe(684);
  expect(tipLeft(7, 10, 946, 200)).toBe(468);
  expect(tipLeft(9, 10, 946, 200)).toBe(648);
});

test("a tip that has room on neither side stays within the drawing", () => {
  expect(tipLeft(0, 2, 246, 200)).toBe(0);
});
