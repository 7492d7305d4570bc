import { expect, test } from "vitest";
import { keyBudgets, raised } from "./key-budgets";

const now = Date.parse("2026-11-20T12:00:00Z");
const plain = {
  budget: null,
  spent: "90.000000",
  budgets: [],
  spentByDay: Array.from({ length: 14 }, () => "10.000000"),
};

test("a key without budgets has none, and one for its lifetime says when it is used up", () => {
  expect(keyBudgets(plain, now)).toEqual([]);
  expect(keyBudgets({ ...plain, budget: "230.000000" }, now)).toEqual([
    {
      period: "lifetime",
      budget: 230_000_000n,
      left: 140_000_000n,
      lastsDays: 14,
      usedUpAt: Date.parse("2026-12-04T12:00:00Z"),
      renewsAt: null,
    },
  ]);
});

test("a budget that renews before it is used up names no day", () => {
  const month = {
    period: "month" as const,
    budget: "100.000000",
    spent: "50.000000",
    held: "0.000000",
    left: "50.000000",
    zone: "UTC",
  };
  const usedUpAt = (renewsAt: string) =>
    keyBudgets({ ...plain, budgets: [{ ...month, renewsAt }] }, now).map((each) => each.usedUpAt);
  expect(usedUpAt("2026-12-01T00:00:00.000Z")).toEqual([Date.parse("2026-11-25T12:00:00Z")]);
  expect(usedUpAt("2026-11-25T00:00:00.000Z")).toEqual([null]);
});

test("without a pace, and beyond a year, no day is named", () => {
  const used = { ...plain, budget: "100000.000000" };
  expect(keyBudgets(used, now)[0]?.usedUpAt).toBeNull();
  expect(keyBudgets({ ...used, spentByDay: [] }, now)[0]?.usedUpAt).toBeNull();
});

test("a budget is raised by a half, to two digits that are easy to read", () => {
  const texts = { "10": 15n, "500": 750n, "750": 1200n, "1234": 1900n, "0.5": 1n };
  for (const [from, to] of Object.entries(texts))
    expect(raised(BigInt(Number(from) * 1_000_000))).toBe(to * 1_000_000n);
  expect(raised(0n)).toBe(1_000_000n);
});
