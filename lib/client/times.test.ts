import { expect, test } from "vitest";
import { exactTime, relativeTime, rowTime } from "./times";

const now = Date.parse("2026-11-22T12:00:00Z");
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

test("what a server's clock says a little ahead of ours is the present, what lies in the future is not", () => {
  expect(relativeTime(at(8), now, "en")).toBe("now");
  expect(relativeTime(at(0), now, "en")).toBe("now");
  expect(relativeTime(at(-3), now, "en")).toBe("3s ago");
  expect(relativeTime(at(90), now, "en")).toBe("in 1m");
});

test("a time's zone comes last in every language", () => {
  const form = { hasSeconds: false, timeZone: "Asia/Tokyo" };
  expect(exactTime(at(0), "en", form)).toBe("Nov 22, 2026, 21:00 GMT+9");
  expect(exactTime(at(0), "zh-CN", form)).toBe("2026年11月22日 21:00 GMT+9");
  expect(exactTime(at(0), "zh-CN", { timeZone: "UTC" })).toBe("2026年11月22日 12:00:00 UTC");
});

test("months and years are written out", () => {
  const DAY = 86_400;
  expect(relativeTime(at(-31 * DAY), now, "en")).toBe("last month");
  expect(relativeTime(at(-70 * DAY), now, "en")).toBe("2 months ago");
  expect(relativeTime(at(-400 * DAY), now, "zh-CN")).toBe("去年");
});

test("the time of a row has its day where that is not today, and its year where that is not this one", () => {
  const then = new Date(2026, 10, 22, 14, 3, 40);
  const rows = [
    [then, "14:03:40", "14:03"],
    [new Date(2026, 10, 20, 9, 5, 1), "Nov 20 09:05", "Nov 20"],
    [new Date(2025, 10, 20, 9, 5, 1), "Nov 20, 2025", "Nov 20, 2025"],
  ] as const;
  for (const [row, long, short] of rows) {
    expect(rowTime(row.toISOString(), then.getTime(), "en")).toBe(long);
    expect(rowTime(row.toISOString(), then.getTime(), "en", { isShort: true })).toBe(short);
  }
  const yesterday = new Date(2026, 10, 20, 9, 5).toISOString();
  expect(rowTime(yesterday, then.getTime(), "zh-CN")).toBe("11/20 09:05");
  // Of the zone's day, not of the reader's.
  const timeZone = "Pacific/Kiritimati";
  expect(rowTime("2026-11-22T12:30:00Z", now, "en", { timeZone })).toBe("02:30:00");
  expect(rowTime("2026-11-22T09:30:00Z", now, "en", { timeZone })).toBe("Nov 22 23:30");
});
