import { expect, it } from "vitest";
import { addDays, dayName, daysBetween, todayIn } from "./days";

it("gives the day of a time zone, whatever the server's own zone", () => {
  const moment = Date.parse("2026-11-21T23:30:00Z");
  expect([
    todayIn("UTC", moment),
    todayIn("Asia/Shanghai", moment),
    todayIn("America/New_York", moment),
  ]).toEqual(["2026-11-21", "2026-11-22", "2026-11-21"]);
});

it("counts days across months and daylight saving changes", () => {
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  expect(daysBetween("2026-10-24", "2026-10-26")).toEqual([
    "2026-10-24",
    "2026-10-25",
    "2026-10-26",
  ]);
  expect(daysBetween("2026-10-24", "2026-10-23")).toEqual([]);
});

it("formats a day as the same date in every zone", () => {
  expect(dayName("2026-11-21", "en-GB")).toBe("21 Nov");
  expect(dayName("2026-11-21", "zh-CN", true)).toBe("2026年11月21日");
});
