import { expect, test } from "vitest";
import { createUnpaidWork } from "./unpaid-work";

test("a subject may use its share of the time, after a rest a little at once, and others are not concerned", () => {
  let now = 0;
  const unpaid = createUnpaidWork({ share: 0.5, savedMs: 100 }, () => now);
  unpaid.note("a", 100);
  expect(unpaid.waitMs("a")).toBe(0);
  unpaid.note("a", 30);
  expect(unpaid.waitMs("a")).toBe(60);
  expect(unpaid.waitMs("b")).toBe(0);
  now = 60;
  expect(unpaid.waitMs("a")).toBe(0);
  // Idle time is not saved up beyond that.
  now = 100_000;
  unpaid.note("a", 200);
  expect(unpaid.waitMs("a")).toBe(100);
});

test("a bounded number of subjects is counted: the one that worked longest ago is dropped", () => {
  const unpaid = createUnpaidWork({ share: 0.5, savedMs: 0 }, () => 0);
  for (let subject = 0; subject < 20_050; subject++) unpaid.note(`s${subject}`, 10);
  expect(unpaid.size).toBe(20_000);
  expect(unpaid.waitMs("s0")).toBe(0);
  expect(unpaid.waitMs("s20049")).toBe(10);
});
