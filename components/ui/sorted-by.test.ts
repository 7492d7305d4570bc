import { expect, test } from "vitest";
import { type Direction, type SortValue, sortedBy } from "./sorted-by";

const inOrder = (values: readonly SortValue[], direction: Direction) =>
  sortedBy(values, (value) => value, direction, "en");

test("words are sorted as in a dictionary, with the numbers in them by size", () => {
  const words = ["key 10", "Ärger", "zebra", "key 9", "apple"];
  expect(inOrder(words, "ascending")).toEqual(["apple", "Ärger", "key 9", "key 10", "zebra"]);
});

test("numbers and big integers are sorted by size, and what is unknown stays last", () => {
  expect(inOrder([3, null, 20, 1], "ascending")).toEqual([1, 3, 20, null]);
  expect(inOrder([3, null, 20, 1], "descending")).toEqual([20, 3, 1, null]);
  expect(inOrder([2n ** 70n, 5n, 2n ** 71n], "descending")).toEqual([2n ** 71n, 2n ** 70n, 5n]);
});

test("equal rows keep their order", () => {
  const rows = [
    { id: "a", points: 1 },
    { id: "b", points: 1 },
  ];
  for (const direction of ["ascending", "descending"] as const)
    expect(sortedBy(rows, ({ points }) => points, direction, "en")).toEqual(rows);
});
