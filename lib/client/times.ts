/** Formats times: relative, and exact with the zone. */
import { todayIn } from "./days";

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
  // Short for the small units alone: `11m ago`, but `last month` rather than `last mo.`.
  const style = length < 30 * DAY ? "narrow" : "long";
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto", style }).format(count, unit);
}

interface InZone {
  /** The reader's own by default. */
  readonly timeZone?: string;
}

interface ExactForm extends InZone {
  readonly hasSeconds?: boolean;
}

/** `Nov 21, 2026, 14:02:11 GMT+1`. The zone comes last in every language. */
export function exactTime(
  at: string,
  locale: string,
  { hasSeconds = true, ...of }: ExactForm = {},
): string {
  const moment = new Date(at);
  const time = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(hasSeconds && { second: "2-digit" }),
    hourCycle: "h23",
    ...of,
  }).format(moment);
  const zone = new Intl.DateTimeFormat(locale, { timeZoneName: "short", ...of })
    .formatToParts(moment)
    .find(({ type }) => type === "timeZoneName");
  return `${time} ${zone?.value}`;
}

export function dayText(at: string, locale: string, zone: InZone = {}): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    ...zone,
  }).format(new Date(at));
}

/**
 * The time of a row: `14:03:40` today, `Nov 20 14:03` on other days. Short: `14:03` and `Nov 20`.
 * In Chinese the day is `11/20`: characters are twice as wide, and the column is narrow.
 */
export function rowTime(
  at: string,
  now: number,
  locale: string,
  { isShort = false, ...zone }: InZone & { isShort?: boolean } = {},
): string {
  const then = new Date(at);
  const [day, today] = [then.getTime(), now].map((moment) => todayIn(zone.timeZone, moment));
  const isToday = day === today;
  const clock = new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    ...(isToday && !isShort && { second: "2-digit" }),
    hourCycle: "h23",
    ...zone,
  }).format(then);
  if (isToday) return clock;
  if (day?.slice(0, 4) !== today?.slice(0, 4)) return dayText(at, locale, zone);
  const month = locale.startsWith("zh") ? "numeric" : "short";
  const name = new Intl.DateTimeFormat(locale, { month, day: "numeric", ...zone }).format(then);
  return isShort ? name : `${name} ${clock}`;
}

/** A month such as `2026-10`, by its name and year. */
export const monthName = (month: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
