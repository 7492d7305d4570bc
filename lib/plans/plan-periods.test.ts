import { expect, test } from "vitest";
import { periodStart, runningPeriod } from "./plan-periods";

const month = { period: "month", hours: null } as const;
const at = (text: string) => new Date(`${text}Z`);

test("months count from their beginning: a short one ends on its last day, and the next ones do not", () => {
  const anchor = at("2027-10-31T08:30:00");
  const days = [0, 1, 2, 4, 5, 12, 16].map((count) =>
    periodStart(month, anchor, count).toISOString().slice(0, 16),
  );
  expect(days).toEqual([
    "2027-10-31T08:30",
    "2027-11-30T08:30",
    "2027-12-31T08:30",
    "2028-02-29T08:30",
    "2028-03-31T08:30",
    "2028-10-31T08:30",
    "2029-02-28T08:30",
  ]);
});

test("days, weeks and hours have their length", () => {
  const anchor = at("2027-01-01T00:00:00");
  const after = (period: "day" | "week" | "hours", hours: number | null, count: number) =>
    periodStart({ period, hours }, anchor, count).toISOString().slice(0, 13);
  expect(after("day", null, 3)).toBe("2027-01-04T00");
  expect(after("week", null, 2)).toBe("2027-01-15T00");
  expect(after("hours", 5, 7)).toBe("2027-01-02T11");
});

test("the period that runs has begun and is not over, however long nobody looked", () => {
  const anchor = at("2027-01-01T00:00:00");
  const hours = { period: "hours", hours: 5 } as const;
  const { count, startsAt, endsAt } = runningPeriod(hours, anchor, 1, at("2027-03-01T12:00:00"));
  expect(count).toBe(285);
  expect([startsAt, endsAt]).toEqual([at("2027-03-01T09:00:00"), at("2027-03-01T14:00:00")]);
  // One that ends now is over.
  expect(runningPeriod(hours, anchor, 0, at("2027-01-01T05:00:00")).count).toBe(1);
});
