import { expect, test } from "vitest";
import { marginOf } from "./margin";

test("a margin is the rest of the income, never rounded in its favour, and unknown between two currencies", () => {
  const point = { currency: "CNY", amount: 10_000n };
  // 800 points at 0.01 each are 8; the upstream takes 2.
  expect(marginOf(800_000_000n, { currency: "CNY", amount: 2_000_000n }, point)).toEqual({
    income: 8_000_000n,
    cost: 2_000_000n,
    perMille: 750,
  });
  expect(marginOf(800_000_000n, { currency: "CNY", amount: 8_000_001n }, point)?.perMille).toBe(-1);
  expect(marginOf(0n, { currency: "CNY", amount: 1n }, point)?.perMille).toBeNull();
  expect(marginOf(1n, { currency: "USD", amount: 1n }, point)).toBeNull();
  expect(marginOf(1n, { currency: "USD", amount: 1n }, null)).toBeNull();
});
