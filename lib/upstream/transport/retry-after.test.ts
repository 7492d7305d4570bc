/** Tests for how long an upstream asks to be left alone. */
import { expect, test } from "vitest";
import { waitSecondsOf } from "./retry-after";

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
