import { expect, test } from "vitest";
import { failedShare, fewFailures, isFailing } from "./operator-channel-alarms";

const healthOf = (succeeded: number, failed: number, cooldownUntil: string | null = null) => ({
  last15Minutes: { succeeded, failed, refused: 0 },
  cooldownUntil,
});

test("a channel fails from one failure in five on, of at least five attempts", () => {
  expect(failedShare(healthOf(3, 1))).toBeNull();
  expect(isFailing({ state: "active", health: healthOf(0, 4) })).toBe(false);
  const few = fewFailures({ state: "active", health: healthOf(2, 2) });
  expect(few).toEqual({ failed: 2, count: 4 });
  expect(fewFailures({ state: "active", health: healthOf(2, 3) })).toBeNull();
  expect(isFailing({ state: "active", health: healthOf(4, 1) })).toBe(true);
  expect(isFailing({ state: "active", health: healthOf(9, 2) })).toBe(false);
});

test("a channel that rests fails, and one that takes no requests never does", () => {
  const resting = healthOf(0, 0, "2026-11-20T12:00:00.000Z");
  expect(isFailing({ state: "active", health: resting })).toBe(true);
  expect(isFailing({ state: "disabled", health: resting })).toBe(false);
  expect(isFailing({ state: "draining", health: healthOf(0, 20) })).toBe(false);
});
