/** Calendar days as text, such as `2026-11-21`. The time zone decides which day is today. */
const DAY_MS = 86_400_000;

/** `zone`: the reader's own where it is undefined. */
export function todayIn(zone: string | undefined, now: number): string {
  return new Intl.DateTimeFormat("en-CA", {
    ...(zone !== undefined && { timeZone: zone }),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(now);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Every day from the first to the last, both included; empty when `to` is before `from`. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}

/** `21 Nov`, or with the year. */
export function dayName(day: string, locale: string, hasYear = false): string {
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    ...(hasYear ? { year: "numeric" } : {}),
    timeZone: "UTC",
  }).format(new Date(day));
}

/** A day as the column of a chart. */
export const dayColumn = (day: string, locale: string) => ({
  id: day,
  short: dayName(day, locale),
  long: dayName(day, locale, true),
});
