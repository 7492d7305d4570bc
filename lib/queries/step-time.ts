/** The middle of a step of the histograms of `usage_row`, in milliseconds. */
export const timeOf = (step: number | null): number | null =>
  step === null ? null : Math.round(2 ** ((step + 0.5) / 16));

const STEPS = 512;
const ENTRY_BYTES = 8;

/** The counts of a histogram's steps, of which there are 512. */
export type StepCounts = Float64Array;
export const noSteps = (): StepCounts => new Float64Array(STEPS);

/** Adds a list of numbers of eight bytes, each count × 512 + step. */
export function addSteps(counts: StepCounts, entries: Buffer | null): StepCounts {
  if (entries === null) return counts;
  for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
    const low = entries.readUInt32BE(at + 4);
    const step = low % STEPS;
    const count = (entries.readUInt32BE(at) * 2 ** 32 + low - step) / STEPS;
    counts[step] = (counts[step] ?? 0) + count;
  }
  return counts;
}

/** The first step with a share of what was counted; null when nothing was. */
export function quantileStep(counts: StepCounts, share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  return counts.findIndex((count) => {
    below += count;
    return below >= all * share;
  });
}
