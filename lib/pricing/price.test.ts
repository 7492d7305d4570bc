import fc from "fast-check";
import { expect, test } from "vitest";
import { TOKENS_MAX } from "../contract/limits";
import { outputTokensWithin, priceOf } from "./price";

const tokens = fc.integer({ min: 0, max: 10_000_000 });
const price = fc.record({
  input: fc.bigInt(0n, 10_000_000_000n),
  output: fc.bigInt(1n, 10_000_000_000n),
});
const multiplier = fc.integer({ min: 1, max: 100_000_000 });

test("the price page's example: 1,000 tokens in and out of RelayV1 cost 0.88 points", () => {
  expect(
    priceOf(
      { inputTokens: 1000, outputTokens: 1000 },
      { input: 80_000_000n, output: 800_000_000n },
      1_000_000,
    ),
  ).toBe(880_000n);
});

test("an amount is rounded up once, by less than one micropoint", () => {
  fc.assert(
    fc.property(
      tokens,
      tokens,
      price,
      multiplier,
      (inputTokens, outputTokens, { input, output }, ppm) => {
        const exact = (BigInt(inputTokens) * input + BigInt(outputTokens) * output) * BigInt(ppm);
        const scaled =
          priceOf({ inputTokens, outputTokens }, { input, output }, ppm) * 1_000_000_000_000n;
        expect(scaled >= exact && scaled - exact < 1_000_000_000_000n).toBe(true);
      },
    ),
  );
});

test("the output that an amount affords never costs more, and one token more would", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 1_000_000_000_000n),
      tokens,
      price,
      multiplier,
      (amount, inputTokens, each, ppm) => {
        const outputTokens = outputTokensWithin(amount, { inputTokens }, each, ppm);
        if (outputTokens > 0)
          expect(priceOf({ inputTokens, outputTokens }, each, ppm) <= amount).toBe(true);
        if (outputTokens < TOKENS_MAX)
          expect(priceOf({ inputTokens, outputTokens: outputTokens + 1 }, each, ppm) > amount).toBe(
            true,
          );
      },
    ),
  );
});

test.each([-1, 0.5, 2 ** 31 + 1, Number.NaN, Number.POSITIVE_INFINITY, -0.1])(
  "%d tokens are refused, never clamped",
  (inputTokens) => {
    expect(() =>
      priceOf({ inputTokens, outputTokens: 0 }, { input: 1n, output: 1n }, 1_000_000),
    ).toThrow(RangeError);
  },
);
