/** Tests for how long an upstream asks to be left alone. */
import { expect, test } from "vitest";
import { readRefused } from "./refused-body";
import { waitSecondsIn, waitSecondsOf } from "./retry-after";

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

test.each([429, 503, 529])("a %i is read in seconds, in milliseconds, and as a date", (status) => {
  const of = (value: string, name = "retry-after") => waitSecondsOf(status, { [name]: value });
  expect(of("7")).toBe(7);
  expect(of("0.4")).toBe(1);
  expect(of("1500", "retry-after-ms")).toBe(2);
  const dated = of(inSeconds(30)) ?? 0;
  expect(dated).toBeGreaterThan(20);
  expect(dated).toBeLessThanOrEqual(30);
});

test("a time in the past, none, and what is no time ask for nothing, and no time is longer than five minutes", () => {
  for (const value of ["0", "-5", "soon", "", inSeconds(-60), "1e9"])
    expect(waitSecondsOf(429, { "retry-after": value })).toBeUndefined();
  expect(waitSecondsOf(429, {})).toBeUndefined();
  expect(waitSecondsOf(500, { "retry-after": "5" })).toBeUndefined();
  expect(waitSecondsOf(429, { "retry-after": "86400" })).toBe(300);
  expect(waitSecondsOf(429, { "retry-after": ["9", "10"] })).toBe(9);
});

test("an upstream that asks in its body alone is read too", () => {
  const of = (value: unknown, status = 429) => waitSecondsIn(status, readRefused(value));
  const said = (time: string) =>
    of({
      error: { message: `Rate limit reached for a on TPM: Limit 5. Please try again in ${time}.` },
    });
  expect(said("7.66s")).toBe(8);
  expect(said("120ms")).toBe(1);
  expect(said("1m30.5s")).toBe(91);
  expect(said("6m0s")).toBe(300);
  expect(said("a while")).toBeUndefined();
  const type = "type.googleapis.com/google.rpc.RetryInfo";
  const google = { error: { code: 429, details: [{ "@type": type, retryDelay: "34.07s" }] } };
  expect(of(google)).toBe(35);
  expect(of([google])).toBe(35);
  expect(of(google, 400)).toBeUndefined();
  expect(
    of({ error: { message: "You said: rate limit reached, try again in 9s" } }),
  ).toBeUndefined();
});
