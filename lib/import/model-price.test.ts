import { expect, test } from "vitest";
import { movedPrice } from "./model-price";
import { multiplierOfRatio, pointsOfQuota, scaled } from "./rate";
import { type LoggedRatios, loggedRatios, type Ratios } from "./ratios";

const table = (values: Record<string, number>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, scaled(value) ?? 0n]));

const ratios: Ratios = {
  model: table({ "gpt-4o": 1.25, free: 0, odd: 0.0375, half: 2 }),
  completion: table({ "gpt-4o": 4, free: 1, odd: 1.3333333333333333 }),
  cache: table({ "gpt-4o": 0.5, odd: 2 }),
  cacheWrite: table({ "gpt-4o": 1.25 }),
  price: table({ draw: 0.04 }),
  group: table({}),
  quotaPerUnit: 500_000n,
  formulas: new Map([
    ["tiered", "p * 2 + img * 9"],
    ["long", 'len <= 200000 ? tier("a", p * 3 + c * 15) : tier("b", p * 6 + c * 15)'],
  ]),
};

const said = (values: Partial<LoggedRatios>): LoggedRatios => ({
  ...{ model: null, completion: null, cache: null, cacheWrite: null, price: null, group: null },
  isExact: true,
  ...values,
});

const priced = (name: string, logged?: LoggedRatios, rate = 500_000n) =>
  movedPrice(name, ratios, logged, rate);

test("a ratio is two dollars a million tokens, times what answers and caches cost", () => {
  expect(priced("gpt-4o")).toEqual({
    rates: [
      { unit: "input_token", points: "2.500000" },
      { unit: "output_token", points: "10.000000" },
      { unit: "cached_input_token", points: "1.250000" },
      { unit: "cache_write_token", points: "3.125000" },
    ],
    remarks: [],
  });
  expect(priced("gpt-4o", undefined, 500n)).toMatchObject({
    rates: [{ points: "2500.000000" }, {}, {}, {}],
  });
  expect(priced("odd")).toMatchObject({
    rates: [{ points: "0.075000" }, { points: "0.100000" }],
    remarks: [expect.stringContaining("cached input costs more")],
  });
  expect(priced("draw")).toEqual({ rates: [{ unit: "request", points: "0.040000" }], remarks: [] });
});

test("what the settings do not say is read from the log, and what neither says is refused", () => {
  expect(priced("tiered")).toEqual({ refusal: expect.stringContaining("formula") });
  expect(priced("long")).toEqual({
    rates: [
      { unit: "input_token", points: "3.000000" },
      { unit: "input_token", input_from: 200_001, points: "6.000000" },
      { unit: "output_token", points: "15.000000" },
    ],
    remarks: [expect.stringContaining("formula")],
  });
  expect(priced("unknown")).toEqual({ refusal: expect.stringContaining("what it costs") });
  expect(priced("half")).toEqual({ refusal: expect.stringContaining("answers") });
  expect(priced("half", said({ completion: scaled(3) }))).toMatchObject({
    rates: [{ points: "4.000000" }, { points: "12.000000" }],
    remarks: [],
  });
  expect(priced("gpt-4o", said({ completion: scaled(2) }))).toMatchObject({
    rates: [{}, { points: "5.000000" }, {}, {}],
    remarks: [expect.stringContaining("another ratio")],
  });
  const tiered = { billing_mode: "tiered_expr", model_ratio: 0, completion_ratio: 0 };
  expect(loggedRatios({ other: JSON.stringify(tiered) })).toBe(null);
  const content = "倍率：0.50 × 1.00 × 3.00";
  const line = loggedRatios({ content });
  expect(priced("unknown", line ?? undefined)).toMatchObject({
    rates: [{ points: "1.000000" }, { points: "3.000000" }],
    remarks: [expect.stringContaining("two decimals")],
  });
});

test("balances are rounded up to the micropoint, and ratios to a millionth", () => {
  expect(pointsOfQuota(1n, 500_000n)).toBe(2n);
  expect(pointsOfQuota(1n, 3_000_000n)).toBe(1n);
  // What the log gave back.
  expect(pointsOfQuota(-1n, 500_000n)).toBe(-2n);
  expect(pointsOfQuota(-1n, 3_000_000n)).toBe(0n);
  expect(pointsOfQuota(10n ** 15n, 500_000n)).toBe(2n * 10n ** 15n);
  expect(multiplierOfRatio(scaled(0.85) ?? 0n)).toEqual({ ppm: 850_000, isExact: true });
  expect(multiplierOfRatio(scaled(1.23456789) ?? 0n)).toEqual({ ppm: 1_234_568, isExact: false });
  expect([scaled(-1), scaled("x"), scaled(Number.NaN), scaled(1e12)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
