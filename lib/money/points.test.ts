import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPoints, MICROPOINTS_MAX, parsePoints, pointsNumber, shortDecimal } from "./points";

test("points keep their value when formatted and parsed", () => {
  fc.assert(
    fc.property(fc.bigInt(-MICROPOINTS_MAX + 1n, MICROPOINTS_MAX - 1n), (amount) => {
      expect(parsePoints(formatPoints(amount))).toBe(amount);
      expect(BigInt(Math.round(pointsNumber(amount) * 1_000_000)) - amount).toBe(0n);
    }),
  );
});

test.each(["", "1.2345678", "1e3", "1,000", "abc", ".5", "0x10", "1."])(
  "%j is not an amount of points",
  (text) => {
    expect(parsePoints(text)).toBeNull();
  },
);

test.each([
  ["1.500000", "1.5"],
  ["2.000000", "2"],
  ["10.050", "10.05"],
  ["100", "100"],
  ["-0.100000", "-0.1"],
])("%s is %s without trailing zeros", (text, short) => {
  expect(shortDecimal(text)).toBe(short);
});
