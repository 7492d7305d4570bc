import { describe, expect, it, vi } from "vitest";
import { builtInModels as models } from "../catalog/built-in";
import type { ModelPriceView } from "../contract/prices";
import { formatPoints, parsePoints } from "../money/points";
import { priceOf } from "../pricing/price";
import { ratesText } from "../pricing/rate-text";
import { typicalUsage } from "../pricing/typical";
import { costOf, multiplierPpm, requestsWithin } from "./model-prices";

const points = (text: string) => formatPoints(parsePoints(text) ?? 0n);

const views: ModelPriceView[] = models.map(({ id, alias, family, defaultPrice }) => ({
  model: id,
  alias,
  family,
  input: defaultPrice.input === undefined ? null : points(defaultPrice.input),
  output: points(defaultPrice.output),
  rates: ratesText(family, {
    input: parsePoints(defaultPrice.input ?? "0") ?? 0n,
    output: parsePoints(defaultPrice.output) ?? 0n,
  }),
  own: { multiplier: "0.85", input: null, output: points("1"), rates: [] },
  effectiveAt: null,
  next: null,
}));

describe("prices on a page", () => {
  it("equal the bill for every model", () => {
    for (const model of models) {
      const view = views.find((each) => each.model === model.id) as ModelPriceView;
      const price = {
        input: parsePoints(model.defaultPrice.input ?? "0") ?? 0n,
        output: parsePoints(model.defaultPrice.output) ?? 0n,
      };
      const cost = costOf(view, typicalUsage(model));
      expect(cost?.list).toBe(formatPoints(priceOf(typicalUsage(model), price, 1_000_000)));
      expect(cost?.own).toBe(formatPoints(priceOf(typicalUsage(model), price, 850_000)));
    }
  });

  it("match the published examples", () => {
    const listOf = (id: string) => {
      const model = models.find((each) => each.id === id);
      const view = views.find((each) => each.model === id);
      return model && view && costOf(view, typicalUsage(model))?.list;
    };
    expect([listOf("RelayV1"), listOf("Super-Relay2.0"), listOf("Super-Relay-Image")]).toEqual([
      "0.880000",
      "500.940000",
      "19.988480",
    ]);
  });

  it("are absent, not NaN, for a model without a price", () => {
    const view = { ...(views[0] as ModelPriceView), output: null, rates: [] };
    expect(costOf(view, { inputTokens: 1, outputTokens: 1 })).toBeNull();
    expect(requestsWithin("100.000000", view, { inputTokens: 1, outputTokens: 1 })).toBeNull();
  });

  it("say how many whole requests a balance covers", () => {
    const usage = { inputTokens: 1000, outputTokens: 1000 };
    const view = { ...(views[0] as ModelPriceView), own: null };
    expect(requestsWithin("1000.000000", view, usage)).toBe(1136);
    expect(requestsWithin("0.879999", view, usage)).toBe(0);
    expect(requestsWithin("-5.000000", view, usage)).toBe(0);
  });

  it("parse multipliers exactly", () => {
    expect([multiplierPpm("1"), multiplierPpm("0.85"), multiplierPpm("1.250001")]).toEqual([
      1_000_000, 850_000, 1_250_001,
    ]);
    expect(() => multiplierPpm("x")).toThrow(RangeError);
  });

  it("are those of the length and of the time: now, unless one is chosen", () => {
    const [first] = views;
    if (first === undefined) throw new Error("no price");
    const rates = [
      { unit: "input_token" as const, points: "2.000000" },
      { unit: "input_token" as const, input_from: 2_000_000, points: "3.000000" },
      { unit: "input_token" as const, hours: "16:30-00:30", points: "1.000000" },
    ];
    const cost = (inputTokens: number, time?: string) =>
      costOf(
        { ...first, rates },
        { inputTokens, outputTokens: 0, ...(time && { ordered: { time } }) },
      )?.list;
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 16, 29, 59), toFake: ["Date"] });
    try {
      expect([cost(1_000_000), cost(2_000_000)]).toEqual(["2.000000", "6.000000"]);
      expect(cost(1_000_000, "16:30")).toBe("1.000000");
      vi.setSystemTime(Date.UTC(2026, 0, 1, 16, 30));
      expect(cost(1_000_000)).toBe("1.000000");
      vi.setSystemTime(Date.UTC(2026, 0, 2, 0, 30));
      expect(cost(1_000_000)).toBe("2.000000");
    } finally {
      vi.useRealTimers();
    }
  });
});
