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

/** A moment from which periods count so that the one of the number ends at a time. */
export function periodBefore(terms: PeriodTerms, endsAt: Date): { anchorAt: Date; number: number } {
  // Of two months in a row one has every day but the 30th and 31st of a short one.
  for (let number = 1; number <= 2; number++) {
    const anchorAt = periodStart(terms, endsAt, -number);
    if (periodStart(terms, anchorAt, number).getTime() === endsAt.getTime())
      return { anchorAt, number };
  }
  throw new Error(`no period ends at ${endsAt.toISOString()}`);
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
