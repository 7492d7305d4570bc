import { expect, test } from "vitest";
import { besides, refsOf } from "./billed-refs";

const refs = (...calls: (string | null)[]) =>
  refsOf(
    calls.map((ref) => ({
      ...{ ref, at: 0, model: "m", requests: 1, amount: null },
      usage: { inputTokens: 0, outputTokens: 0 },
    })),
  );

test("a file of the same name with all calls is a later cut; all others have calls that are billed elsewhere", () => {
  const earlier = [
    { id: "cut", name: "may.csv", refs: refs("A", "b", null) },
    { id: "part", name: "may.csv", refs: refs("b", "d") },
    { id: "other", name: "june.csv", refs: refs("c") },
  ];
  const found = besides({ name: "may.csv", refs: refs("a", "B", "C") }, earlier);
  expect(found.replaced).toEqual(["cut"]);
  const calls = ["a", "B", "c", "C", "d", "e"];
  expect(calls.map(found.isElsewhere)).toEqual([false, true, true, true, true, false]);
});

test("eight bytes are kept of each call that is named, once", () => {
  expect(refs("a", "A", "b", null)).toHaveLength(16);
  expect(refs()).toHaveLength(0);
});
