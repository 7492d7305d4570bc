import { expect, test } from "vitest";
import { mustHaveFactor } from "./required";

const operator = { isOperator: true };
const other = { isOperator: false };

test.each([
  ["https://relay.example", true],
  ["https://192.0.2.7", true],
  ["http://relay.example", false],
  ["https://localhost:3000", false],
  ["https://a.localhost", false],
  ["https://127.0.0.1", false],
  ["https://[::1]:3000", false],
  ["https://localhost.example", true],
])("automatic: operators of %s must have a factor: %s", (publicUrl, isRequired) => {
  const rules = { RELAY_SECOND_FACTOR: "auto" as const, publicUrl };
  expect(mustHaveFactor(rules, operator)).toBe(isRequired);
  expect(mustHaveFactor(rules, other)).toBe(false);
});

test.each([
  ["nobody", false, false],
  ["operators", true, false],
  ["everyone", true, true],
] as const)("%s: operators %s, others %s", (RELAY_SECOND_FACTOR, ofOperator, ofOther) => {
  for (const publicUrl of ["http://localhost:3000", "https://relay.example"]) {
    const rules = { RELAY_SECOND_FACTOR, publicUrl };
    expect([mustHaveFactor(rules, operator), mustHaveFactor(rules, other)]).toEqual([
      ofOperator,
      ofOther,
    ]);
  }
});
