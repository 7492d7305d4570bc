import { expect, test } from "vitest";
import { boundProblems } from "./sign-in-problems";

test("strangers' failed sign-ins log at most twenty bounded lines a minute, and a count of the rest", () => {
  let now = 0;
  const lines: [object, string][] = [];
  const problem = boundProblems(() => now);
  const report = (fields: object, message: string) => void lines.push([fields, message]);
  for (let each = 0; each < 1000; each++)
    problem(report, "OAUTH_CALLBACK_ERROR", new Error("x".repeat(100_000)));
  expect(lines).toHaveLength(20);
  expect(JSON.stringify(lines).length).toBeLessThan(20 * 500);
  now = 60_000;
  problem(report, "OAUTH_CALLBACK_ERROR", "told again");
  expect(lines.slice(20)).toEqual([
    [{ leftOut: 980 }, expect.any(String)],
    [{ code: "OAUTH_CALLBACK_ERROR", reason: "Error: told again" }, "sign-in"],
  ]);
});
