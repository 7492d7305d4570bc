/** How long an upstream that is at its limits asks to be left alone. */

import type { RefusedBody } from "./refused-body";

/** Too many requests, unavailable, and overloaded as Anthropic says it. */
const statuses = [429, 503, 529];
/** A longer time is taken for this one: the channel is tried again before it is over. */
const WAIT_SECONDS_MAX = 300;

/** A time as makers write it, such as 7.66s, 120ms or 1m30.5s. */
const delay = /^(?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)(ms|s))?$/;
const sentence =
  /^rate limit reached [^\n]{0,500}?try again in ((?:\d{1,4}m)?\d{1,6}(?:\.\d{1,9})?m?s)\b/i;

const within = (seconds: number) =>
  seconds > 0 ? Math.min(Math.ceil(seconds), WAIT_SECONDS_MAX) : undefined;

const textOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Whole seconds, from a number of seconds or a date of HTTP; undefined when none is asked for. */
export function waitSecondsOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | undefined {
  if (!statuses.includes(status)) return undefined;
  const milliseconds = Number(textOf(headers["retry-after-ms"]) ?? Number.NaN);
  const text = textOf(headers["retry-after"])?.trim() ?? "";
  const seconds =
    milliseconds > 0
      ? milliseconds / 1000
      : /^\d{1,9}(\.\d{1,3})?$/.test(text)
        ? Number(text)
        : (Date.parse(text) - Date.now()) / 1000;
  return within(seconds);
}

function secondsOf(text: string): number {
  const [, minutes = "0", amount = "0", unit] = delay.exec(text) ?? [];
  return Number(minutes) * 60 + Number(amount) / (unit === "ms" ? 1000 : 1);
}

/** The same from the body, of an upstream that says it there alone. */
export function waitSecondsIn(status: number, refused: RefusedBody): number | undefined {
  if (!statuses.includes(status)) return undefined;
  const said = refused.texts.map((text) => sentence.exec(text)?.[1] ?? "");
  return within(secondsOf([refused.delay, ...said].find((text) => text !== "") ?? ""));
}
