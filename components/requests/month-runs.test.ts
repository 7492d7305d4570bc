import { expect, test } from "vitest";
import { monthRuns } from "./month-runs";

test("months that follow each other are one run, over the end of a year, each month once", () => {
  const months = ["2026-12", "2026-08", "2027-01", "2026-11", "2026-08", "2027-02"];
  expect(monthRuns(months)).toEqual([
    ["2026-08", "2026-08"],
    ["2026-11", "2027-02"],
  ]);
  expect(monthRuns([])).toEqual([]);
});
