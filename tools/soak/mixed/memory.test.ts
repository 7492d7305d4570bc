import { expect, test } from "vitest";
import { type Sample, slopeOf, slopesOf } from "./memory";

const line = (seconds: number, mibPerMinute: number, from = 0): Sample[] =>
  Array.from({ length: seconds / 5 }, (_, n) => ({
    second: from + n * 5,
    mib: 200 + (n % 2) + (mibPerMinute * n * 5) / 60,
  }));

test("the slope by least squares is that of the line, whatever the noise", () => {
  expect(slopeOf(line(1800, 3))).toBeCloseTo(3, 1);
  expect(slopeOf(line(1800, 0))).toBeCloseTo(0, 1);
  expect(slopeOf([])).toBe(0);
});

test("a process is judged only when it has lived long enough, and without its warm-up", () => {
  const growing = [...line(180, 60), ...line(1200, 0.5, 180)];
  const slopes = slopesOf(
    new Map([
      ["long", growing],
      ["short", line(400, 9)],
    ]),
  );
  expect(slopes.map(({ process }) => process)).toEqual(["long"]);
  expect(slopes[0]?.mibPerMinute).toBeCloseTo(0.5, 1);
});
