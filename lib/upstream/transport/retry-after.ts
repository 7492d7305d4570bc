/** How long an upstream that is at its limits asks to be left alone. */

/** Too many requests, unavailable, and overloaded as Anthropic says it. */
const statuses = [429, 503, 529];
/** A longer time is taken for this one: the channel is tried again before it is over. */
const WAIT_SECONDS_MAX = 300;

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
  return seconds > 0 ? Math.min(Math.ceil(seconds), WAIT_SECONDS_MAX) : undefined;
}
