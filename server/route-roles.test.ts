import { expect, test } from "vitest";
import { expectedFiles, routeFiles, routes } from "../e2e/route-roles";

test("every route file has a role, by its name or by a row of a table, and every role a route file", () => {
  expect(routeFiles()).toEqual(expectedFiles());
});

test("a page or an address has one role by each method", () => {
  const asked = routes.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([...new Set(asked)]);
});
