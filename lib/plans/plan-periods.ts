/** The periods of a plan. They count from one moment, in UTC, so they do not drift. */
import type { PlanPeriod } from "../contract/states";

export interface PeriodTerms {
  readonly period: PlanPeriod;
  /** Of a period of hours. */
  readonly hours: number | null;
}

const HOUR_MS = 3_600_000;

/** A month that lacks the day ends on its last one. */
function monthsAfter(from: Date, months: number): Date {
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), last));
  return first;
}

/** When the period begins that comes after `count` whole ones. */
export function periodStart({ period, hours }: PeriodTerms, anchor: Date, count: number): Date {
  if (period === "month") return monthsAfter(anchor, count);
  const each = { day: 24, week: 168, hours: hours ?? 1 }[period];
  return new Date(anchor.getTime() + count * each * HOUR_MS);
}

/** The first period, of those after `count` whole ones, that is not over. */
export function runningPeriod(
  terms: PeriodTerms,
  anchor: Date,
  count: number,
  now: Date,
): { readonly count: number; readonly startsAt: Date; readonly endsAt: Date } {
  for (let at = count; ; at++) {
    const endsAt = periodStart(terms, anchor, at + 1);
    if (endsAt > now) return { count: at, startsAt: periodStart(terms, anchor, at), endsAt };
  }
}
