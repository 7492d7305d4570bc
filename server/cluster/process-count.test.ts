import { expect, test } from "vitest";
import { readSettings } from "@/lib/settings/settings";
import { processCount } from "./process-count";

const GIB = 1024 ** 3;
const usual = readSettings({});

test.each([
  ["one for every two cores", usual, 8, 16, 4],
  ["one on two cores, and on three", usual, 3, 16, 1],
  ["one on one core", usual, 1, 16, 1],
  ["at most eight", usual, 64, 256, 8],
  ["one for each half GiB of memory", usual, 16, 2, 4],
  ["one on a machine with little memory", usual, 8, 0.25, 1],
  ["as many as the setting says", { ...usual, RELAY_PROCESSES: 3 }, 1, 1, 3],
] as const)("the number of processes is: %s", (_, settings, cores, gib, expected) => {
  expect(processCount(settings, { cores, memoryBytes: gib * GIB })).toBe(expected);
});
