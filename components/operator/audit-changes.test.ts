import { expect, test } from "vitest";
import { changesOf } from "./audit-changes";

const action = { before: null, after: null, detail: {} };

test("only the fields that changed are shown, and of a field with members only those that changed", () => {
  const before = { name: "north", weight: 1, models: { RelayV1: "a", "Super-Relay2.5": "b" } };
  const after = { name: "north", weight: 5, models: { RelayV1: "a", "Super-Relay2.5": "c" } };
  const detail = { reason: "Faster", failure: { code: "internal_error" }, note: null };
  expect(changesOf({ ...action, before, after, detail })).toEqual([
    { field: "weight", before: 1, after: 5 },
    { field: "models", member: "Super-Relay2.5", before: "b", after: "c" },
    { field: "reason", after: "Faster" },
    { field: "failure", member: "code", after: "internal_error" },
  ]);
});

test("what was made or removed shows every field with a value", () => {
  const row = { name: "north", note: null, allowedFields: [], weight: 1 };
  const fields = [
    ["name", "north"],
    ["weight", 1],
  ];
  expect(changesOf({ ...action, after: row })).toEqual(
    fields.map(([field, after]) => ({ field, after })),
  );
  expect(changesOf({ ...action, before: row })).toEqual(
    fields.map(([field, before]) => ({ field, before })),
  );
});

test("the limits and the words of a model are shown by member", () => {
  const before = { spec: '{"output_tokens_max":10,"tools":true}', names: "no JSON" };
  const after = { spec: '{"output_tokens_max":20,"tools":true}', names: "no JSON" };
  expect(changesOf({ ...action, before, after })).toEqual([
    { field: "spec", member: "output_tokens_max", before: 10, after: 20 },
  ]);
});
