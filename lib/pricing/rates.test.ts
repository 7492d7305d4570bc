import fc from "fast-check";
import { expect, test } from "vitest";
import { families } from "../contract/states";
import {
  isPerOne,
  orderSelectors,
  selectorsOfUnit,
  type Unit,
  unitsOfFamily,
} from "../contract/units";
import { dearestUsage, outputTokensWithin, priceOf, type TokenUsage } from "./price";
import { lengthsWithin, priceAt } from "./price-at";
import { linesOf, rateFor } from "./price-lines";
import { isFor, type Ordered, type Price, priceOfRates, type Rate, ratesOf } from "./rate";
import { quantitiesOf, usageOf } from "./usage";

const SCALE = 10n ** 12n;
const multiplier = fc.integer({ min: 1, max: 100_000_000 });
const family = fc.constantFrom(...families);
const count = (max: number) => fc.integer({ min: 0, max });

/** Some of the units of a family, each at a random rate. */
const ratesIn = (kind: keyof typeof unitsOfFamily): fc.Arbitrary<Rate[]> =>
  fc
    .uniqueArray(
      fc.record({
        unit: fc.constantFrom<Unit>(...unitsOfFamily[kind]),
        amount: fc.bigInt(0n, 2_000_000_000n),
      }),
      { selector: ({ unit }) => unit },
    )
    .filter((rates) => rates.length > 0);

/** A bound, and a usage within it whose parts are within their wholes. */
const used = fc
  .record({
    bound: fc.record({ inputTokens: count(1_000_000), outputTokens: count(1_000_000) }),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }),
    images: count(1),
    inputImages: count(14),
    partialImages: count(3),
    seconds: count(60),
    toolCalls: count(5),
  })
  .map(({ bound, shares, toolCalls, ...counted }) => {
    const part = (at: number, of: number) => Math.floor((shares[at] ?? 0) * of);
    const inputTokens = part(0, bound.inputTokens);
    const outputTokens = part(1, bound.outputTokens);
    const cachedInputTokens = part(2, inputTokens);
    const cacheWriteTokens = part(3, inputTokens - cachedInputTokens);
    const reasoningTokens = part(4, outputTokens);
    const audioTokens = part(5, outputTokens - reasoningTokens);
    const inputAudioTokens = part(6, inputTokens - cachedInputTokens - cacheWriteTokens);
    const parts = { cachedInputTokens, cacheWriteTokens, reasoningTokens, audioTokens };
    const text = { ...parts, inputAudioTokens, toolCalls };
    return { bound, whole: { inputTokens, outputTokens }, text, media: { ...counted, toolCalls } };
  });

const ordered = fc.record({
  resolution: fc.constantFrom("480p", "720p", "4k"),
  audio: fc.boolean(),
  input_video: fc.boolean(),
  tier: fc.constantFrom("default", "flex"),
});

const wholes: readonly Unit[] = ["input_token", "output_token"];

/**
 * A rate of tokens for each tier in place of the one for all, which all text keeps too; or the rates as
 * they are.
 */
const byTier = (rates: readonly Rate[], isSplit: boolean): Rate[] =>
  rates.flatMap((rate) => {
    if (!isSplit || !selectorsOfUnit(rate.unit).includes("tier")) return [rate];
    const flex = { ...rate, tier: "flex", amount: rate.amount / 2n };
    return wholes.includes(rate.unit) ? [rate, flex] : [{ ...rate, tier: "default" }, flex];
  });

/** Besides each rate, others for longer input and for hours, dearer or cheaper. */
const byPlace = (rates: readonly Rate[], starts: readonly number[], hours: readonly string[]) =>
  rates.flatMap((rate, place): Rate[] => {
    const allowed = selectorsOfUnit(rate.unit);
    const scaled = (times: number) => (rate.amount * BigInt((times + place) % 5)) / 2n;
    const long = (allowed.includes("input_from") ? starts : []).map((input_from, at) => ({
      ...{ ...rate, input_from },
      amount: scaled(at + 2),
    }));
    const all = [rate, ...long];
    const timed = hours.flatMap((each, at) =>
      all
        .filter((_, one) => (one + at + place) % 3 < 2)
        .map((one, more) => ({ ...one, hours: each, amount: scaled(at + more + 3) })),
    );
    return [...all, ...timed];
  });
const starts = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 3 });
const hours = fc.constantFrom([], ["22:30-06:00"], ["08:00-12:00", "18:30-08:00"]);
const time = fc.constantFrom(undefined, "00:00", "05:59", "08:00", "11:59", "12:00", "23:59");

/** The most that is held for a usage: that of each length at which rates differ. */
function heldFor(most: TokenUsage, price: Price, multiplierPpm: number): bigint {
  let held = 0n;
  for (const inputTokens of lengthsWithin(price, most.inputTokens)) {
    const amount = priceOf(dearestUsage({ ...most, inputTokens }, price), price, multiplierPpm);
    if (amount > held) held = amount;
  }
  return held;
}

const priced = family.chain((kind) =>
  fc
    .record({
      kind: fc.constant(kind),
      rates: ratesIn(kind),
      used,
      ppm: multiplier,
      ordered,
      isSplit: fc.boolean(),
      ...{ starts, hours, time },
    })
    .map((given) => {
      const { whole, text, media: counted, bound } = given.used;
      const { tier } = given.ordered;
      const timed = given.time === undefined ? {} : { time: given.time };
      const media = {
        ...counted,
        ordered: { ...timed, ...(kind === "video" && given.ordered) },
      };
      const at = { ordered: { tier, ...timed } };
      const usage: TokenUsage =
        kind === "text" ? { ...whole, ...text, ...at } : { ...whole, inputTokens: 0, ...media };
      const { inputAudioTokens, toolCalls } = text;
      const spoken = { ...bound, ...at, audioTokens: 0, inputAudioTokens, toolCalls };
      const most = kind === "text" ? spoken : { ...bound, inputTokens: 0, ...media };
      const rates = byPlace(byTier(given.rates, given.isSplit), given.starts, given.hours);
      return { ...given, price: priceOfRates(rates), usage, most };
    }),
);

/** The exact cost by the definition: each quantity at its own rate, or at that of its whole. */
function exactOf(kind: keyof typeof unitsOfFamily, usage: TokenUsage, listed: Price): bigint {
  const price = priceAt(listed, usage);
  const quantities = quantitiesOf(kind, usage);
  return unitsOfFamily[kind].reduce(
    (sum, unit) =>
      sum +
      BigInt(quantities[unit] ?? 0) *
        rateFor(unit, price, usage.ordered) *
        (isPerOne(unit) ? 1_000_000n : 1n),
    0n,
  );
}

test("a bill is Σ(quantity × rate) × multiplier, rounded up once", () => {
  fc.assert(
    fc.property(priced, ({ kind, usage, price, ppm }) => {
      const due = exactOf(kind, usage, price) * BigInt(ppm);
      const scaled = priceOf(usage, price, ppm) * SCALE;
      expect(scaled >= due && scaled - due < SCALE).toBe(true);
    }),
  );
});

test("a bill never exceeds the hold when the usage is within its bound, however it is split", () => {
  fc.assert(
    fc.property(priced, ({ usage, most, price, ppm }) => {
      expect(priceOf(usage, price, ppm) <= heldFor(most, price, ppm)).toBe(true);
    }),
  );
});

test("the lines of a receipt add up to the bill, and its units to the whole input and output", () => {
  fc.assert(
    fc.property(priced, ({ kind, usage, price, ppm }) => {
      const lines = linesOf(kind, usage, price);
      const sum = lines.reduce(
        (total, { unit, quantity, amount }) =>
          total + BigInt(quantity) * amount * (isPerOne(unit) ? 1_000_000n : 1n),
        0n,
      );
      expect((sum * BigInt(ppm) + SCALE - 1n) / SCALE).toBe(priceOf(usage, price, ppm));
      const { inputTokens, outputTokens } = usage;
      const kept = usageOf({ inputTokens, outputTokens }, quantitiesOf(kind, usage));
      expect(priceOf(kept, price, ppm)).toBe(priceOf(usage, price, ppm));
    }),
  );
});

test("cached input never makes a bill dearer, unless what is written to the cache is", () => {
  fc.assert(
    fc.property(priced, ({ usage, price, ppm }) => {
      const own = priceAt(price, usage);
      const rate = (unit: Unit) => rateFor(unit, own, usage.ordered);
      const isCheap =
        rate("cached_input_token") <= rate("input_token") &&
        rate("cache_write_token") <= rate("input_token") &&
        rate("input_audio_token") <= rate("input_token") &&
        rate("audio_token") <= rate("output_token") &&
        rate("reasoning_token") <= rate("output_token");
      if (!isCheap) return;
      const { cachedInputTokens: _, cacheWriteTokens: __, ...rest } = usage;
      const { reasoningTokens: ___, audioTokens: ____, inputAudioTokens: _____, ...plain } = rest;
      expect(priceOf(usage, price, ppm) <= priceOf(plain, price, ppm)).toBe(true);
    }),
  );
});

test("the output that an amount affords is within it, however it is counted", () => {
  fc.assert(
    fc.property(
      priced.filter(({ kind }) => kind === "text"),
      fc.bigInt(1n, 1_000_000_000_000n),
      ({ most: { outputTokens: _, ...bound }, price, ppm }, amount) => {
        const within = lengthsWithin(price, bound.inputTokens).map((inputTokens) =>
          outputTokensWithin(amount, { ...bound, inputTokens }, price, ppm),
        );
        const outputTokens = Math.min(...within);
        if (outputTokens > 0 && outputTokens < 2 ** 31)
          expect(heldFor({ ...bound, outputTokens }, price, ppm) <= amount).toBe(true);
      },
    ),
  );
});

test("an amount that does not pay the rest affords no output, where output is free too", () => {
  const price = { input: 1_000_000n, output: 0n };
  const within = (amount: bigint) => outputTokensWithin(amount, { inputTokens: 10 }, price, 1e6);
  expect([within(9n), within(10n) > 1e9]).toEqual([0, true]);
});

test("a list of rates is the same list again", () => {
  fc.assert(
    fc.property(priced, ({ kind, price }) => {
      expect(priceOfRates(ratesOf(kind, price))).toEqual(price);
    }),
  );
});

test("a price of two rates costs what it cost before there were others", () => {
  const usage = { inputTokens: 1000, outputTokens: 1000, cachedInputTokens: 900, images: 1 };
  const price = { input: 80_000_000n, output: 800_000_000n };
  expect(priceOf(usage, price, 1_000_000)).toBe(880_000n);
});

test("parts beyond their whole are refused, never clamped", () => {
  const others: Rate[] = [{ unit: "cached_input_token", amount: 1n }];
  const usage = { inputTokens: 5, outputTokens: 0, cachedInputTokens: 6 };
  expect(() => priceOf(usage, { input: 1n, output: 1n, others }, 1_000_000)).toThrow(RangeError);
});

test.each(orderSelectors)("a rate with %s is only for what was ordered with it", (name) => {
  const [one, other]: [Ordered, Ordered] = [{ [name]: "one" }, { [name]: "other" }];
  expect([isFor(one, one), isFor(one, other), isFor(one), isFor({}, one)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
