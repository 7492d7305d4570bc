import { expect, test } from "vitest";
import { readArguments } from "./arguments.mjs";

test("named files and folders run by their kind, and nothing else", () => {
  expect(readArguments([])).toEqual({ isAll: true, shard: undefined, unit: [], browser: [] });
  expect(readArguments(["./lib/ledger/", "e2e/topup.spec.ts", "e2e"])).toMatchObject({
    isAll: false,
    unit: ["lib/ledger"],
    browser: ["e2e/topup.spec.ts", "e2e"],
  });
  expect(readArguments(["--shard", "2/4"])).toMatchObject({
    isAll: true,
    shard: { part: 2, of: 4 },
  });
});

test.each([
  [["--shard", "5/4"], "--shard 5/4: it must be K/N with K from 1 to N, such as 2/4"],
  [["--shard", "0/4"], "--shard 0/4: it must be K/N with K from 1 to N, such as 2/4"],
  [["--shard"], "--shard : it must be K/N with K from 1 to N, such as 2/4"],
  [["--fast"], "--fast: the only option is --shard K/N"],
  [["lib/nothing"], "lib/nothing: there is no such file or folder"],
  [["messages"], "messages: it has no tests"],
])("%j is refused", (words, message) => {
  expect(() => readArguments(words)).toThrow(new Error(message));
});
