import { expect, test } from "vitest";
import { keysToWatch } from "./keys-to-watch";

const now = Date.parse("2026-11-20T12:00:00Z");
const plain = {
  id: "key_1",
  name: "laptop",
  maker: null,
  status: "active",
  expiresAt: null,
  lastUsedAt: null,
  budget: null,
  spent: "90.000000",
  spentByDay: Array.from({ length: 14 }, () => "10.000000"),
} as const;
const watched = (changes: object) =>
  keysToWatch([{ ...plain, spentByDay: [...plain.spentByDay], ...changes }], now).map(
    ({ why, left, lastsDays }) => ({ why, left, lastsDays }),
  );

test("a key without limits, or far from them, is not shown", () => {
  expect(watched({})).toEqual([]);
  expect(watched({ budget: "1000.000000", expiresAt: "2027-11-20T12:00:00.000Z" })).toEqual([]);
  expect(watched({ status: "revoked", expiresAt: "2026-11-21T12:00:00.000Z" })).toEqual([]);
});

test("a key that has used four fifths of its budget is shown with what is left and for how long", () => {
  expect(watched({ budget: "100.000000" })).toEqual([
    { why: "budget", left: 10_000_000n, lastsDays: 1 },
  ]);
  expect(watched({ budget: "80.000000" })).toEqual([{ why: "budget", left: 0n, lastsDays: 0 }]);
});

test("a key is shown within 14 days of its end", () => {
  expect(watched({ expiresAt: "2026-12-04T11:59:00.000Z" })).toMatchObject([{ why: "expiry" }]);
  expect(watched({ expiresAt: "2026-12-04T12:00:00.000Z" })).toEqual([]);
});

test("paused keys come first", () => {
  const keys = [
    { ...plain, id: "a", spentByDay: [], expiresAt: "2026-11-21T12:00:00.000Z" },
    { ...plain, id: "b", spentByDay: [], status: "paused" as const },
  ];
  expect(keysToWatch(keys, now).map(({ key }) => key.id)).toEqual(["b", "a"]);
});
