import { expect, test } from "vitest";
import { durationOf } from "./durations";

const texts = { milliseconds: "ms", seconds: "s", minutes: "min", hours: "h" };

test.each([
  [0, "0 ms"],
  [819.6, "820 ms"],
  [999.4, "999 ms"],
  [999.6, "1 s"],
  [2149, "2.1 s"],
  [9949, "9.9 s"],
  [9950, "10 s"],
  [59_499, "59 s"],
  [59_500, "1 min"],
  [65_000, "1 min 5"],
  [599_499, "9 min 59"],
  [599_500, "10 min"],
  [3_569_999, "59 min"],
  [3_570_000, "1 h"],
  [12_000_000, "3 h 20"],
  [35_970_000, "10 h"],
  [93_600_000, "26 h"],
])("%d milliseconds are said as %s", (milliseconds, text) => {
  const { unit, whole, rest } = durationOf(milliseconds);
  expect(`${whole} ${texts[unit]}${rest ? ` ${rest}` : ""}`).toBe(text);
});
