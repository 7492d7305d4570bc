import { expect, test } from "vitest";
import { roles, routeFiles } from "../e2e/route-roles";

test("every route file has a role in e2e/route-roles.ts, and every role a route file", () => {
  expect(routeFiles().filter((file) => !roles.has(file))).toEqual([]);
  expect([...roles.keys()].filter((file) => !routeFiles().includes(file))).toEqual([]);
});
