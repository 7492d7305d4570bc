import { readFileSync } from "node:fs";

/** Linux counts the times in /proc in hundredths of a second, whatever the kernel's own clock is. */
const TICKS_A_SECOND = 100;

/**
 * The processor seconds of this process and of all its descendants that have ended and were waited
 * for. Undefined where the system does not tell.
 */
export function processorSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The name of the program, which comes second, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const times = fields.slice(11, 15).map(Number);
    return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}
