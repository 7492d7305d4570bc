import { expect, test } from "vitest";
import { withoutUndefined } from "./records";

test("only undefined members are left out: null, zero, false and the empty string stay", () => {
  const given = withoutUndefined({ a: undefined, b: null, c: 0, d: false, e: "", f: 1n });
  expect(Object.keys(given)).toEqual(["b", "c", "d", "e", "f"]);
  expect(given).toEqual({ b: null, c: 0, d: false, e: "", f: 1n });
});
