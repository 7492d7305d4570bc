import { expect, test } from "vitest";
import { newId, newOperationId, timeOfId } from "./ids";

test("an operation id is a version 7 UUID that sorts by time", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (let round = 0; round < 1000; round++) expect(newOperationId()).toMatch(uuid);
  expect(newOperationId(1000) < newOperationId(2000)).toBe(true);
});

test("ids have a type prefix and do not repeat", () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => newId("request")));
  expect(ids.size).toBe(20_000);
  expect([...ids].every((id) => /^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true);
});

test("the creation time is read from an id of the right kind only", () => {
  const at = Date.parse("2026-11-21T12:34:56.789Z");
  expect(timeOfId("request", newId("request", at))).toBe(at);
  for (const text of [
    newId("account", at),
    "req_",
    `req_${"u".repeat(26)}`,
    `req_${"z".repeat(26)}`,
    "",
  ])
    expect(timeOfId("request", text)).toBeNull();
});
