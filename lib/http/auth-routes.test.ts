import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isAuthRoute } from "./auth-routes";

const providers = ["credentials", "github", "email"];

test("only the needed addresses of the sign-in library exist, and _log is not one of them", () => {
  const actions = new Set(
    [
      ...readFileSync("node_modules/next-auth/core/index.js", "utf8").matchAll(
        /case "([a-z_-]+)":/g,
      ),
    ].map(([, action]) => action as string),
  );
  expect(actions).toContain("_log");
  const open = (method: string) =>
    [...actions].filter((action) => isAuthRoute(method, [action], providers)).sort();
  expect(open("GET")).toEqual([
    "csrf",
    "error",
    "providers",
    "session",
    "signin",
    "verify-request",
  ]);
  expect(open("POST")).toEqual(["signin", "signout"]);
});

test.each<[string, string[], boolean]>([
  ["POST", ["callback", "credentials"], true],
  ["GET", ["callback", "credentials"], false],
  ["GET", ["callback", "github"], true],
  ["POST", ["callback", "github"], false],
  ["GET", ["callback", "google"], false],
  ["GET", ["callback"], false],
  ["POST", ["signin", "email"], true],
  ["POST", ["signin", "google"], false],
  ["POST", ["session"], false],
  ["POST", ["_log", "github"], false],
  ["POST", ["signout", "github"], false],
  ["GET", ["callback", "github", "more"], false],
  ["GET", [], false],
])("%s %j: %s", (method, path, exists) => {
  expect(isAuthRoute(method, path, providers)).toBe(exists);
});
