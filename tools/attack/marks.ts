/** The limits that must hold during and after each attack, and the check against them. */
import type { Outcome, Step } from "./attack";
import type { VictimFigures } from "./victim";
import type { Block, HeapFigures, MachineShares, ProbeFigures } from "./watch";

export interface Marks {
  readonly blockMsMax: number;
  readonly victimP99MsMax: number;
  /** The share by which what is in use may stay above its earlier level: objects, and what they hold outside of the heap. */
  readonly heldGrowthMax: number;
  /**
   * The same for the memory of the process. It is wider: the pages that the allocators give back differ by a
   * fifth from one collection to the next, with the same objects in use.
   */
  readonly memoryGrowthMax: number;
}

export interface Memory {
  readonly beforeBytes: number;
  readonly heapBefore: HeapFigures | null;
  readonly peakBytes: number;
  readonly afterBytes: number;
  readonly heap: HeapFigures | null;
}

export interface Measured {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Epoch milliseconds; null while the server is alive. */
  readonly diedAt: number | null;
  /** Null without a probe. */
  readonly longestBlockMs: number | null;
  readonly longestOwnBlockMs: number | null;
  readonly longestPauseMs: number | null;
  readonly longestPingMs: number;
  readonly blocks: readonly Block[];
  readonly profile: ProbeFigures["profile"];
  readonly victim: VictimFigures;
  readonly memory: Memory;
  readonly machine: MachineShares;
}

export interface Evaluation extends Measured {
  /** The violated limits, one line each; empty when all held. */
  readonly misses: readonly string[];
}

const MEBIBYTE = 1024 * 1024;
const BLOCKS_TOLD = 5;
const FAULTS_TOLD = 40;

const whole = (value: number) => String(Math.round(value));

/** The step that ran in the `ms` before `at`. */
function causeOf({ at, ms }: Pick<Block, "at" | "ms">, steps: readonly Step[]): string {
  const running = steps
    .filter(({ from, to }) => from <= at && to >= at - ms)
    .map(({ label }) => label);
  return running.length === 0 ? "" : ` during ${running.slice(0, 3).join(" | ")}`;
}

const mebibytes = (bytes: number) => whole(bytes / MEBIBYTE);
const inUse = ({ heapUsed, external }: HeapFigures) => heapUsed + external;

/** What stayed in use, and what the process kept beyond that. */
export function memoryMisses(
  { beforeBytes, heapBefore, afterBytes, heap }: Omit<Memory, "peakBytes">,
  { heldGrowthMax, memoryGrowthMax }: Pick<Marks, "heldGrowthMax" | "memoryGrowthMax">,
): string[] {
  const misses: string[] = [];
  if (heap && heapBefore && inUse(heap) > inUse(heapBefore) * (1 + heldGrowthMax))
    misses.push(
      `${mebibytes(inUse(heap))} MiB stayed in use, ${mebibytes(inUse(heapBefore))} before`,
    );
  if (afterBytes > beforeBytes * (1 + memoryGrowthMax)) {
    const held = heap === null ? "" : `; ${mebibytes(inUse(heap))} MiB are in use`;
    misses.push(
      `memory stayed at ${mebibytes(afterBytes)} MiB, ${mebibytes(beforeBytes)} before${held}`,
    );
  }
  return misses;
}

/**
 * One line for each violated limit. Blocks count without the time in which the thread waited for a
 * processor.
 */
export function evaluate(measured: Measured, marks: Marks): Evaluation {
  const { outcome, victim, memory, blocks } = measured;
  const misses: string[] = [];
  if (measured.diedAt !== null)
    misses.push(`the server died${causeOf({ at: measured.diedAt, ms: 0 }, outcome.steps)}`);
  const over = blocks
    .filter(({ ownMs }) => ownMs > marks.blockMsMax)
    .sort((a, b) => b.ownMs - a.ownMs);
  for (const block of over.slice(0, BLOCKS_TOLD))
    misses.push(
      `the loop was blocked for ${whole(block.ownMs)} ms (${whole(block.ms)} with waiting)${causeOf(block, outcome.steps)}`,
    );
  if (over.length > BLOCKS_TOLD)
    misses.push(`${over.length - BLOCKS_TOLD} more blocks over ${marks.blockMsMax} ms`);
  if (
    over.length === 0 &&
    measured.longestOwnBlockMs !== null &&
    measured.longestOwnBlockMs > marks.blockMsMax
  )
    misses.push(`the loop was blocked for ${whole(measured.longestOwnBlockMs)} ms`);
  if (victim.p99Ms > marks.victimP99MsMax)
    misses.push(
      `another account's p99 was ${whole(victim.p99Ms)} ms: ${victim.slowest.join(", ")}`,
    );
  if (victim.failures > 0)
    misses.push(
      `${victim.failures} of ${victim.requests} of another account's requests failed: ${victim.examples.join("; ")}`,
    );
  misses.push(...memoryMisses(memory, marks));
  if (outcome.faultCount > 0)
    misses.push(
      `${outcome.faultCount} faults: ${outcome.faults.slice(0, FAULTS_TOLD).join("\n      ")}`,
    );
  return { ...measured, misses };
}
