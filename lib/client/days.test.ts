import { expect, it } from "vitest";
import { addDays, dayName, daysBetween, todayIn } from "./days";

it("says which day it is in a zone, not where the server stands", () => {
  const moment = Date.parse("2026-11-21T23:30:00Z");
  expect([
    todayIn("UTC", moment),
    todayIn("Asia/Shanghai", moment),
    todayIn("America/New_York", moment),
  ]).toEqual(["2026-11-21", "2026-11-22", "2026-11-21"]);
});

it("counts days over months and over the change of clocks", () => {
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  expect(daysBetween("2026-10-24", "2026-10-26")).toEqual([
    "2026-10-24",
    "2026-10-25",
    "2026-10-26",
  ]);
  expect(daysBetween("2026-10-24", "2026-10-23")).toEqual([]);
});

it("names a day as itself in every zone", () => {
  expect(dayName("2026-11-21", "en-GB")).toBe("21 Nov");
  expect(dayName("2026-11-21", "zh-CN", true)).toBe("2026年11月21日");
});
