/** The fields of a line of a bill, as makers of bills write them. Pure. */
import { invalidValue } from "../failures/relay-error";

/** Amounts are kept as millionths. */
export const AMOUNT_DIGITS = 6;
const FIELD_SHOWN = 60;
/** Digits of an amount, so that sums stay within what is kept. */
const AMOUNT_LENGTH_MAX = 15;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function refused(line: number, text: string, what: string) {
  const shown = JSON.stringify(text.slice(0, FIELD_SHOWN));
  return invalidValue("file", `Line ${line}: ${shown} is not ${what}.`);
}

/** Digits, with or without a comma before each three of them. A comma anywhere else is no mark of thousands. */
const grouped = /^(?:\d*|[1-9]\d{0,2}(?:,\d{3})+)$/;

/** Not below zero. */
export function countOf(text: string, line: number): number {
  const whole = /^([\d,]*)(?:\.0*)?$/.exec(text)?.[1];
  const count = Number(whole?.replaceAll(",", "") || "0");
  if (whole !== undefined && grouped.test(whole) && Number.isSafeInteger(count)) return count;
  throw refused(line, text, "a whole number");
}

/** The currencies that a mark may stand for. */
const marks: Readonly<Record<string, RegExp>> = {
  $: /^(?:[A-Z]{2}D|MXN|CLP|COP|ARS)$/,
  "¥": /^(?:CNY|JPY)$/,
  "￥": /^(?:CNY|JPY)$/,
  元: /^CNY$/,
  "€": /^EUR$/,
  "£": /^GBP$/,
};

/** Throws for an amount, or a line, of another currency than the bill is compared in. */
export function assertSameCurrency(text: string, line: number, currency: string | undefined): void {
  const mark = text.trim().toUpperCase();
  if (mark === "" || currency === undefined) return;
  if (mark === currency || marks[mark]?.test(currency)) return;
  throw invalidValue(
    "file",
    `Line ${line} is in ${JSON.stringify(mark.slice(0, FIELD_SHOWN))}, and the bill is compared in ${currency}.`,
  );
}

const amountForm =
  /^([-−+]?)\s?([a-z]{3}|[$¥￥元€£])?\s?([-−+]?)\s?([\d,]*)(?:\.(\d*))?(?:e([-+]?\d{1,2}))?\s?([a-z]{3}|[$¥￥元€£])?$/i;

export interface ReadAmount {
  readonly amount: bigint;
  /** How many decimals are written. */
  readonly digits: number;
}

/** An amount as millionths, rounded to the nearest. In parentheses it is below zero. */
export function amountOf(text: string, line: number, currency: string | undefined): ReadAmount {
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  const [, sign = "", before = "", sign2 = "", whole = "", decimals = "", power = "0", after = ""] =
    amountForm.exec((inner ?? text).trim()) ?? [];
  const written = `${whole.replaceAll(",", "")}${decimals}`;
  const places = decimals.length - Number(power);
  const isAmount = /\d/.test(written) && grouped.test(whole) && (sign === "" || sign2 === "");
  if (!isAmount || whole.length - Math.min(0, places) > AMOUNT_LENGTH_MAX)
    throw refused(line, text, "an amount");
  assertSameCurrency(`${before}${after}`, line, currency);
  const shift = AMOUNT_DIGITS - places;
  const below = 10n ** BigInt(Math.max(0, -shift));
  const size = (BigInt(written) * 10n ** BigInt(Math.max(0, shift)) + below / 2n) / below;
  const isNegative = (inner !== undefined) !== /[-−]/.test(`${sign}${sign2}`);
  return { amount: isNegative ? -size : size, digits: Math.max(0, places) };
}

/** Reads times that name no zone, in the zone of the bill. */
export class LocalTimes {
  readonly #format: Intl.DateTimeFormat;
  /** By the hour: a bill has many lines in each. */
  readonly #offsets = new Map<number, number>();

  constructor(zone: string) {
    try {
      this.#format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    } catch {
      const shown = JSON.stringify(zone.slice(0, FIELD_SHOWN));
      throw invalidValue("zone", `The zone is ${shown}: send one such as UTC or Asia/Shanghai.`);
    }
  }

  /** The moment of a local time, given as if it were UTC. Of an hour that comes twice, the first. */
  at(local: number): number {
    const before = this.#offsetAt(local - DAY_MS);
    const isBefore = this.#offsetAt(local - before) === before;
    return local - (isBefore ? before : this.#offsetAt(local + DAY_MS));
  }

  #offsetAt(at: number): number {
    const hour = Math.floor(at / HOUR_MS);
    const known = this.#offsets.get(hour);
    if (known !== undefined) return known;
    const name = this.#format
      .formatToParts(hour * HOUR_MS)
      .find(({ type }) => type === "timeZoneName");
    const [, sign, hours = 0, minutes = 0] = /([-+])(\d\d):?(\d\d)?/.exec(name?.value ?? "") ?? [];
    const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
    this.#offsets.set(hour, offset);
    return offset;
  }
}

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** A day, and a clock where there is one, with its zone where it names one. */
const timeForm =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:(?:T| {1,2})(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?: ?(Z|UTC|GMT)| ?([-+])(\d\d):?(\d\d))?$/i;

/** Whether a time is a day, without a clock. */
export const isDay = (text: string): boolean => timeForm.test(text) && !text.includes(":");

/** Null for what is no time: any other text could be read as some day by chance. */
function clockOf(text: string, times: LocalTimes): number | null {
  const [whole, year, month, day, hour = 0, minute = 0, second = 0, part, utc, sign, ...zone] =
    timeForm.exec(text) ?? [];
  if (whole === undefined) return null;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const real = new Date(midnight);
  const isReal = real.getUTCMonth() + 1 === Number(month) && real.getUTCDate() === Number(day);
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (!isReal || h > 23 || m > 59 || s > 59) return null;
  const read =
    midnight + ((h * 60 + m) * 60 + s) * 1000 + Math.floor(Number(`0.${part ?? 0}`) * 1000);
  if (utc !== undefined) return read;
  if (sign === undefined) return times.at(read);
  const [hours, minutes] = zone.map(Number);
  return read - (sign === "-" ? -1 : 1) * ((hours ?? 0) * HOUR_MS + (minutes ?? 0) * 60_000);
}

/** Seconds, milliseconds, or a time as text; without a zone it is of the bill's. */
export function timeOf(text: string, line: number, times: LocalTimes): number {
  const number = Number(text);
  const isNumber = text !== "" && Number.isFinite(number);
  const at = isNumber ? number * (number < 1e11 ? 1000 : 1) : clockOf(text, times);
  if (at !== null && at >= EARLIEST && at < LATEST) return at;
  throw refused(line, text, "a time such as 2026-11-02 03:04:05");
}
