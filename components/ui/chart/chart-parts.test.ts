import { expect, test } from "vitest";
import { columnSums, peakOf, shownTicks, tickColumns } from "./chart-parts";

const seriesOf = (...all: (number | null)[][]) =>
  all.map((values, at) => ({ id: `${at}`, name: "", colour: "", values, texts: [] }));

test("a stack is as high as the sum of its series, lines as the highest value", () => {
  const series = seriesOf([1, 5, null], [2, 1, null]);
  expect(columnSums(series, 3)).toEqual([3, 6, 0]);
  expect(peakOf(series, 3, "stack")).toBe(6);
  expect(peakOf(series, 3, "lines")).toBe(5);
  expect(peakOf([], 3, "stack")).toBe(0);
  const ghost = { name: "", values: [9, 0, 0], texts: [] };
  expect(peakOf(series, 3, "stack", ghost), "what was before fits, too").toBe(9);
});

test("named columns stand at equal distances, and the last one is named", () => {
  expect(tickColumns(7, 8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(tickColumns(30, 5)).toEqual([5, 11, 17, 23, 29]);
  expect(tickColumns(24, 2)).toEqual([11, 23]);
  expect(tickColumns(3, 0)).toEqual([2]);
  expect(tickColumns(0, 5)).toEqual([]);
});

test("an axis of whole values has no line between two of them", () => {
  expect(shownTicks([0, 0.5, 1], seriesOf([0, 1, null]))).toEqual([0, 1]);
  expect(shownTicks([0, 0.5, 1], seriesOf([0, 0.75]))).toEqual([0, 0.5, 1]);
});
