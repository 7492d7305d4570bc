/** Formats times: relative, and exact with the zone. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Step = readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, length: number];
const years: Step = [Number.POSITIVE_INFINITY, "year", 365 * DAY];
const steps: readonly Step[] = [
  [MINUTE, "second", 1000],
  [HOUR, "minute", MINUTE],
  [DAY, "hour", HOUR],
  [30 * DAY, "day", DAY],
  [365 * DAY, "month", 30 * DAY],
];

/** The clock of the server may be ahead of the browser's by this much. */
const AHEAD_MS = 15_000;

export function relativeTime(at: string, now: number, locale: string): string {
  const ahead = new Date(at).getTime() - now;
  const distance = ahead > 0 && ahead < AHEAD_MS ? 0 : ahead;
  const [, unit, length] = steps.find(([limit]) => Math.abs(distance) < limit) ?? years;
  const count = Math.trunc(distance / length);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }).format(
    count,
    unit,
  );
}

/** `21 Nov 2026, 14:02:11 GMT+1`, in the reader's own zone. */
export function exactTime(at: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(new Date(at));
}

export function dayText(at: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
  }).format(new Date(at));
}
