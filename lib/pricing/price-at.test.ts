import fc from "fast-check";
import { expect, test } from "vitest";
import { priceOf } from "./price";
import { isWithin, lengthsWithin, priceAt, timeOfDay } from "./price-at";
import { dearestCost, linesOf } from "./price-lines";
import { type Ordered, type Price, priceOfRates, type Rate, ratesOf, wholeAmounts } from "./rate";
import { quantitiesOf, usageOf } from "./usage";

const minutes = fc.integer({ min: 0, max: 1439 });
const clock = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

test("hours are from their beginning until before their end, over midnight too", () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 1439 }), minutes, (from, length, at) => {
      const hours = `${clock(from)}-${clock((from + length) % 1440)}`;
      expect(isWithin(hours, clock(at))).toBe((at - from + 1440) % 1440 < length);
    }),
  );
  expect(timeOfDay(Date.UTC(2026, 5, 1, 0, 30, 59))).toBe("00:30");
});

const rates: Rate[] = [
  { unit: "input_token", amount: 2_000_000n },
  { unit: "input_token", input_from: 200_000, amount: 4_000_000n },
  { unit: "input_token", hours: "16:30-00:30", amount: 1_000_000n },
  { unit: "input_token", tier: "flex", amount: 500_000n },
  { unit: "cached_input_token", amount: 200_000n },
  { unit: "cached_input_token", input_from: 200_000, amount: 400_000n },
  { unit: "output_token", amount: 10_000_000n },
  { unit: "output_token", input_from: 200_000, amount: 15_000_000n },
  { unit: "output_token", input_from: 200_000, hours: "16:30-00:30", amount: 7_000_000n },
];
const price = priceOfRates(rates);

const linesAt = (inputTokens: number, ordered?: Ordered, cachedInputTokens = 0) =>
  linesOf(
    "text",
    { inputTokens, outputTokens: 10, cachedInputTokens, ...(ordered && { ordered }) },
    price,
  ).map(({ unit, quantity, amount }) => [unit, quantity, Number(amount)]);

test("the bracket of the whole input counts for all tokens, at its beginning and above", () => {
  expect(linesAt(199_999)).toEqual([
    ["input_token", 199_999, 2_000_000],
    ["output_token", 10, 10_000_000],
  ]);
  expect(linesAt(200_000)).toEqual([
    ["input_token", 200_000, 4_000_000],
    ["output_token", 10, 15_000_000],
  ]);
  // What is cached is a part of the length.
  expect(linesAt(200_000, undefined, 199_000)).toEqual([
    ["input_token", 1000, 4_000_000],
    ["cached_input_token", 199_000, 400_000],
    ["output_token", 10, 15_000_000],
  ]);
});

test("in its hours a rate counts before one of all day, and beside it that of the rest", () => {
  const evening = { time: "16:30" };
  expect(linesAt(10, evening)).toEqual([
    ["input_token", 10, 1_000_000],
    ["output_token", 10, 10_000_000],
  ]);
  expect(linesAt(200_000, { time: "00:29" })).toEqual([
    ["input_token", 200_000, 1_000_000],
    ["output_token", 10, 7_000_000],
  ]);
  for (const time of ["00:30", "16:29"])
    expect(linesAt(200_000, { time })).toEqual(linesAt(200_000));
  // What is for a tier counts for it at every length and time.
  expect(linesAt(200_000, { ...evening, tier: "flex" })[0]).toEqual([
    "input_token",
    200_000,
    500_000,
  ]);
});

test("a settlement keeps what decides, and is priced the same from it", () => {
  const whole = { inputTokens: 250_000, outputTokens: 10 };
  const usage = { ...whole, cachedInputTokens: 7, ordered: { time: "23:00" } };
  const stored = JSON.parse(JSON.stringify(quantitiesOf("text", usage)));
  expect(stored).toMatchObject({ time: "23:00" });
  expect(priceOf(usageOf(whole, stored), price, 1_000_000)).toBe(priceOf(usage, price, 1_000_000));
  expect(linesOf("text", usage, price)).toMatchObject([
    { unit: "input_token", hours: "16:30-00:30" },
    { unit: "cached_input_token", input_from: 200_000 },
    { unit: "output_token", input_from: 200_000, hours: "16:30-00:30" },
  ]);
});

test("pixels of images may cost less at night", () => {
  const night = priceOfRates([
    { unit: "image_token", amount: 8n },
    { unit: "image_token", hours: "22:00-06:00", amount: 3n },
  ]);
  const usage = { inputTokens: 0, outputTokens: 2_000_000, images: 1 };
  const at = (time: string) => priceOf({ ...usage, ordered: { time } }, night, 1_000_000);
  expect([at("21:59"), at("22:00"), at("05:59"), at("06:00")]).toEqual([16n, 6n, 6n, 16n]);
  expect(linesOf("image", { ...usage, ordered: { time: "23:00" } }, night)).toMatchObject([
    { unit: "image_token", hours: "22:00-06:00", quantity: 2_000_000 },
  ]);
});

test("a price that depends on neither is the same one; another is resolved once for each case", () => {
  const plain: Price = { input: 1n, output: 2n, others: [{ unit: "request", amount: 1n }] };
  expect(priceAt(plain, { inputTokens: 9 })).toBe(plain);
  const one = priceAt(price, { inputTokens: 5, ordered: { time: "01:00" } });
  expect(priceAt(price, { inputTokens: 199_999, ordered: { time: "16:29" } })).toBe(one);
  expect(priceAt(one, { inputTokens: 5, ordered: { time: "01:00" } })).toEqual(one);
  expect(lengthsWithin(price, 300_000)).toEqual([300_000, 199_999]);
  expect(lengthsWithin(price, 199_999)).toEqual([199_999]);
});

test("a rest that costs nothing is listed, so that the list can be set again", () => {
  const listed: Rate[] = [
    { unit: "input_token", amount: 0n },
    { unit: "input_token", input_from: 30, amount: 50n },
    { unit: "output_token", amount: 0n },
    { unit: "output_token", hours: "16:30-00:30", amount: 70n },
  ];
  expect(ratesOf("text", priceOfRates(listed))).toEqual(listed);
});

test("what all input costs is known at every length and time", () => {
  const price = priceOfRates(rates);
  expect(wholeAmounts("text", price, "input")).toEqual([2_000_000n, 1_000_000n, 4_000_000n]);
  expect(wholeAmounts("text", price, "output")[0]).toBe(10_000_000n);
});

test("a rate costs the most that the upstream asks at the lengths and times at which it counts", () => {
  const own = priceOfRates([
    { unit: "output_token", amount: 10n },
    { unit: "output_token", input_from: 1000, amount: 60n },
  ]);
  const upstream = priceOfRates([
    { unit: "output_token", amount: 2n },
    { unit: "output_token", hours: "01:00-23:00", amount: 5n },
    { unit: "output_token", input_from: 1000, amount: 40n },
  ]);
  expect(ratesOf("text", own).map((rate) => dearestCost(rate, own, upstream))).toEqual([5n, 40n]);
});
