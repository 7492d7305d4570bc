import { expect, test } from "vitest";
import type { OperatorPrice } from "../contract/operator-prices";
import { familyMargins, totalMargin } from "./operator-margins";

const priced = (family: OperatorPrice["family"], income: string, cost: string) =>
  ({
    family,
    days30: { margin: { income: `${income}.000000`, cost: `${cost}.000000`, percent: null } },
  }) as OperatorPrice;

test("income and cost are summed by family, and models without a known cost are left out", () => {
  const unpriced = { family: "text", days30: { margin: null } } as OperatorPrice;
  const margins = familyMargins([
    priced("video", "60", "40"),
    priced("video", "40", "20"),
    priced("image", "10", "15"),
    unpriced,
  ]);
  expect(margins).toEqual([
    { family: "video", income: 100_000_000n, cost: 60_000_000n, share: 0.4 },
    { family: "image", income: 10_000_000n, cost: 15_000_000n, share: -0.5 },
  ]);
  expect(totalMargin(margins)).toEqual({ income: 110_000_000n, cost: 75_000_000n, share: 0.318 });
});

test("without income there is no share", () => {
  expect(totalMargin([])).toEqual({ income: 0n, cost: 0n, share: null });
});
