import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPoints, MICROPOINTS_MAX, parsePoints, pointsNumber } from "./points";

test("points survive being written and read", () => {
  fc.assert(
    fc.property(fc.bigInt(-MICROPOINTS_MAX + 1n, MICROPOINTS_MAX - 1n), (amount) => {
      expect(parsePoints(formatPoints(amount))).toBe(amount);
      expect(BigInt(Math.round(pointsNumber(amount) * 1_000_000)) - amount).toBe(0n);
    }),
  );
});

test.each(["", "1.2345678", "1e3", "1,000", "abc", ".5", "0x10", "1."])("%j is not points", (text) => {
  expect(parsePoints(text)).toBeNull();
});
