import { expect, test } from "vitest";
import { processCount } from "./process-count";

const GIB = 1024 ** 3;
const database = { DATABASE_URL: "postgresql://db/relay", RELAY_PROCESSES: "auto" as const };
const embedded = { DATABASE_URL: undefined, RELAY_PROCESSES: "auto" as const };

test.each([
  ["one for each core", database, 4, 16, 4],
  ["at most eight", database, 64, 256, 8],
  ["one on one core", database, 1, 16, 1],
  ["one for each half GiB of memory", database, 8, 2, 4],
  ["one on a machine with little memory", database, 8, 0.25, 1],
  ["half of the cores with the embedded database", embedded, 8, 16, 4],
  ["one with the embedded database on two cores", embedded, 2, 16, 1],
  ["one without the setting", { ...database, RELAY_PROCESSES: undefined }, 8, 16, 1],
  ["as many as the setting says", { ...database, RELAY_PROCESSES: 3 }, 1, 1, 3],
] as const)("the number of processes is: %s", (_, settings, cores, gib, expected) => {
  expect(processCount(settings, { cores, memoryBytes: gib * GIB })).toBe(expected);
});
