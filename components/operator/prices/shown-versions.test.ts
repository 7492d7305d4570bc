import { expect, test } from "vitest";
import type { PriceVersionView } from "@/lib/contract/operator-prices";
import { shownVersions } from "./shown-versions";

const version = (id: string, effectiveAt: string, output: string): PriceVersionView => ({
  id,
  model: "RelayV1",
  input: null,
  output,
  rates: [{ unit: "output_token", points: output }],
  effectiveAt: `${effectiveAt}T00:00:00.000Z`,
  setBy: "grace@example.com",
});
const shown = (...versions: PriceVersionView[]) =>
  shownVersions(versions).map(({ version: { id }, isCancelled }) => [id, isCancelled]);

test("a withdrawn price is cancelled, and the version that withdrew it is left out", () => {
  const versions = [version("3", "2026-12-01", "700"), version("2", "2026-12-01", "650")];
  expect(shown(...versions, version("1", "2026-01-01", "700"))).toEqual([
    ["2", true],
    ["1", false],
  ]);
});

test("a price that replaced another at the same moment is shown", () => {
  const versions = [version("3", "2026-12-01", "600"), version("2", "2026-12-01", "650")];
  expect(shown(...versions, version("1", "2026-01-01", "700"))).toEqual([
    ["3", false],
    ["2", true],
    ["1", false],
  ]);
});

test("a price by the second that replaced another one is no withdrawal", () => {
  const bySecond = (id: string, at: string, points: string): PriceVersionView => ({
    ...version(id, at, "0"),
    rates: [{ unit: "second", points }],
  });
  const versions = [bySecond("3", "2026-12-01", "25"), bySecond("2", "2026-12-01", "28")];
  expect(shown(...versions, bySecond("1", "2026-01-01", "30"))).toEqual([
    ["3", false],
    ["2", true],
    ["1", false],
  ]);
});
