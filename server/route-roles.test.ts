import { expect, test } from "vitest";
import { expectedFiles, routeFiles, routes } from "../e2e/route-roles";

test("every route file has a role, from its name or from a table row, and every role has a route file", () => {
  expect(routeFiles()).toEqual(expectedFiles());
});

test("a page or an endpoint has one role for each method", () => {
  const asked = routes.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([...new Set(asked)]);
});
