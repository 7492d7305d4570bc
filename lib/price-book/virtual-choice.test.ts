import { expect, test } from "vitest";
import { findModel } from "../catalog/models";
import type { VirtualModel } from "../catalog/virtual-models";
import { priceOfRates } from "../pricing/rate";
import { pricedChoices, priceRange } from "./virtual-choice";

const price = priceOfRates([
  { unit: "input_token", amount: 2_000_000n },
  { unit: "input_token", input_from: 200_000, amount: 4_000_000n },
  { unit: "output_token", amount: 10_000_000n },
  { unit: "output_token", hours: "16:30-00:30", amount: 5_000_000n },
]);
const version = { id: "p", model: "RelayV1", price, effectiveAt: new Date(0) };

function chosen(rules: Partial<VirtualModel>) {
  const virtual: VirtualModel = {
    ...{ name: "relay/cheap", family: "text", models: [], contextMin: 0, outputMin: 0 },
    ...{ inputPriceMax: null, outputPriceMax: null, priceMax: null, needs: [] },
    ...{ order: "listed", tried: 3 },
    ...rules,
  };
  const model = findModel("RelayV1");
  const buyer = { multiplierPpm: () => 2_000_000 };
  return pricedChoices(virtual, model ? [model] : [], buyer, { current: () => version });
}

test("a model is chosen below a price that it has at every length and time", () => {
  expect(chosen({ inputPriceMax: 3 })).toEqual([]);
  expect(chosen({ inputPriceMax: 4 })).toHaveLength(1);
  expect(chosen({ outputPriceMax: 9 })).toEqual([]);
  expect(chosen({ outputPriceMax: 10 })).toHaveLength(1);
});

test("the range of prices is that of every length and time", () => {
  expect(priceRange(chosen({}))).toMatchObject({
    input: { min: 4_000_000n, max: 8_000_000n },
    output: { min: 10_000_000n, max: 20_000_000n },
  });
});
