import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withRun } from "./proof";
import type { Report } from "./report";

const report: Report = {
  passed: true,
  at: "2026-01-02T03:04:05.678Z",
  commit: "abc1234",
  seed: 7,
  seconds: 480,
  clock: "libfaketime",
  redis: true,
  orders: 10,
  answers: 8,
  operations: 9,
  settled: 8,
  released: 1,
  kills: 30,
  databaseStops: 4,
  faults: {},
  breaches: { lost: 0, double: 0 },
  checks: 2,
  slopes: [],
  audit: { product: "clean", own: "clean, 12 rules" },
  reasons: [],
};
const page = "# Proof\n\n<!-- runs -->\n<!-- end of runs -->\n\nMore.\n";

test("each run is a line, and the totals are those of all lines", () => {
  const once = withRun(page, report);
  const failed = { ...report, passed: false, breaches: { lost: 1, double: 1 }, seconds: 120 };
  const twice = withRun(once, failed);
  expect(twice.match(/^\| 2026-01-02 03:04 \| abc1234 +\| 7 +\|/gm)).toHaveLength(2);
  expect(twice).toContain("**60 kills of 3000, 8 database stops of 150, 0.2 hours of 10**");
  expect(twice).toContain("16 charges compared, 2 breaches");
  expect(twice).toContain("\n\nMore.\n");
});

test("the page that is published has the place for runs", () => {
  const published = readFileSync("docs/proof.md", "utf8");
  expect(withRun(published, report)).toMatch(/\| abc1234 +\| 7 +\| 8\.0 +\| 30 +\| 4 +\|/);
});
