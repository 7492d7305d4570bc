import { expect, test } from "vitest";
import type { RateView } from "../contract/rates";
import { rateChanges, splitRates } from "./rate-changes";

const second = (points: string, resolution: string): RateView => ({
  ...{ unit: "second", points, resolution },
});

test("a price by the second changes in its seconds, although its tokens cost nothing", () => {
  const before = [second("30.000000", "720p"), second("60.000000", "1080p")];
  const after = [second("25.000000", "720p"), second("60.000000", "1080p")];
  expect(rateChanges(before, after)).toEqual([
    { unit: "second", resolution: "720p", from: "30.000000", to: "25.000000" },
  ]);
  expect(rateChanges(before, before)).toEqual([]);
});

test("a rate that begins has no amount before, and one that ends none after", () => {
  const before: RateView[] = [
    { unit: "output_token", points: "800.000000" },
    { unit: "tool_call", points: "2.000000" },
  ];
  const after: RateView[] = [
    { unit: "output_token", points: "800.000000" },
    { unit: "audio_token", points: "90.000000" },
  ];
  expect(rateChanges(before, after)).toEqual([
    { unit: "audio_token", from: null, to: "90.000000" },
    { unit: "tool_call", from: "2.000000", to: null },
  ]);
});

test("of many rates those of the usual tier at all lengths and times are shown, whatever their unit", () => {
  const output: RateView = { unit: "output_token", points: "800.000000" };
  const rates = [
    second("1.000000", "720p"),
    ...["flex", "batch"].map((tier) => ({ ...second("2.000000", "720p"), tier })),
    { ...output, input_from: 128_001 },
    output,
  ];
  expect(splitRates(rates, 4).shown).toEqual([rates[0], output]);
  expect(splitRates(rates, 4).more).toEqual(rates.slice(1, 4));
  expect(splitRates(rates, 5)).toEqual({ shown: rates, more: [] });
  expect(splitRates(rates.slice(1, 4), 1).shown).toEqual([rates[1]]);
});
