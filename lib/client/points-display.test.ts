import { describe, expect, it } from "vitest";
import {
  exactPoints,
  largestPoints,
  priceText,
  readPoints,
  shortPoints,
  upstreamMoney,
} from "./points-display";

describe("formatted points", () => {
  it.each([
    ["8412.500000", "8,412.500000"],
    ["-0.412080", "−0.412080"],
    ["1000000000.000001", "1,000,000,000.000001"],
    ["0.000000", "0.000000"],
  ])("writes %s exactly as %s", (value, text) => {
    expect(exactPoints(value)).toBe(text);
  });

  it.each([
    ["20.000000", "20.00"],
    ["-0.004800", "−0.0048"],
    ["1234.500001", "1,234.500001"],
  ])("writes %s of an upstream's money as %s", (value, text) => {
    expect(upstreamMoney(value)).toBe(text);
  });

  it.each([
    ["8412.500000", "8,412.50"],
    ["1.005000", "1.01"],
    ["-1.005000", "−1.01"],
    ["999.995000", "1,000.00"],
    ["0.412080", "0.41208"],
    ["0.000880", "0.00088"],
    ["0.000001", "0.000001"],
    ["0.000000", "0.00"],
  ])("shortens %s to %s, never to zero", (value, text) => {
    expect(shortPoints(value)).toBe(text);
  });

  it("put a plus sign before positive amounts, and none before zero", () => {
    expect(exactPoints("1000.000000", true)).toBe("+1,000.000000");
    expect(shortPoints("0.000000", true)).toBe("0.00");
  });

  it("format prices without trailing zeros", () => {
    expect([priceText("1500.000000"), priceText("0.500000"), priceText("80.000000")]).toEqual([
      "1,500",
      "0.5",
      "80",
    ]);
  });

  it("throw on text that is not an amount instead of showing NaN", () => {
    for (const text of ["", "NaN", "1", "1.5", "undefined", "1e3"])
      expect(() => readPoints(text)).toThrow(RangeError);
  });

  it("compare amounts by value, not as text", () => {
    expect(largestPoints(["9.000000", "10.000000", "2.500000"])).toBe("10.000000");
    expect(largestPoints([])).toBe("0.000000");
  });
});
