import { expect, test } from "vitest";
import { daysLeft, lastDaysSum } from "./pace";

const spent = ["10.000000", "0.000000", "4.000000"];

test("an amount lasts for as many days as it holds the mean of the days", () => {
  expect(daysLeft(14_000_000n, spent)).toBe(3);
  expect(daysLeft(3_000_000n, spent)).toBe(0.5);
  expect(daysLeft(0n, spent)).toBe(0);
});

test("without spending there is no pace", () => {
  expect(daysLeft(14_000_000n, ["0.000000", "0.000000"])).toBeNull();
  expect(daysLeft(14_000_000n, [])).toBeNull();
});

test("the last days are those at the end", () => {
  expect(lastDaysSum(spent, 2)).toBe(4_000_000n);
  expect(lastDaysSum(spent, 30)).toBe(14_000_000n);
});
