import { expect, test } from "vitest";
import type { ModelPriceView } from "../contract/prices";
import { forecast } from "./forecast";

const now = Date.parse("2026-11-20T00:00:00Z");
const price = (next: Pick<NonNullable<ModelPriceView["next"]>, "input" | "output"> | null) =>
  ({
    model: "RelayV1",
    alias: "relay-v1",
    family: "text",
    input: "10.000000",
    output: "20.000000",
    rates: [],
    own: null,
    effectiveAt: null,
    next: next && { ...next, rates: [], effectiveAt: "2026-11-25T00:00:00.000Z" },
  }) satisfies ModelPriceView;
const spent = [{ id: "RelayV1", amount: "70.000000", inputTokens: 600, outputTokens: 200 }];
const from = (available: string, prices: readonly ModelPriceView[]) => {
  const { emptyAt, ...rest } = forecast(available, spent, 7, prices, now);
  return { day: emptyAt && new Date(emptyAt).toISOString().slice(0, 10), ...rest };
};

test("without a coming price a balance lasts at the mean of the days", () => {
  const plain = { day: "2026-11-30", hasPace: true, counted: [] };
  expect(from("100.000000", [price(null)])).toEqual(plain);
  expect(from("100.000000", [])).toEqual(plain);
});

test("from the day of a coming price on, the pace is as the used tokens will cost", () => {
  // 600 × 10 + 200 × 20 = 10,000 today; 600 × 10 + 200 × 70 = 20,000 then.
  const dearer = price({ input: "10.000000", output: "70.000000" });
  expect(from("100.000000", [dearer])).toEqual({
    day: "2026-11-27",
    hasPace: true,
    counted: ["RelayV1"],
  });
  expect(from("40.000000", [dearer])).toEqual({ day: "2026-11-24", hasPace: true, counted: [] });
});

test("a coming price of nothing ends the pace, and a year is as far as it looks", () => {
  expect(from("100.000000", [price({ input: "0.000000", output: "0.000000" })])).toEqual({
    day: null,
    hasPace: false,
    counted: [],
  });
  expect(from("100000.000000", [price(null)])).toEqual({ day: null, hasPace: true, counted: [] });
  expect(forecast("5.000000", [], 7, [], now).hasPace).toBe(false);
});
