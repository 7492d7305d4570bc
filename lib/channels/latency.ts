/** Latencies as counts in fixed steps, so that those of many minutes and processes can be added. */

const FIRST_BOUND_MS = 10;
const GROWTH = 1.25;
/** The last step contains everything above ten minutes. */
export const LATENCY_STEPS = 50;

const bounds = Array.from({ length: LATENCY_STEPS }, (_, step) => FIRST_BOUND_MS * GROWTH ** step);

export function latencyStep(ms: number): number {
  const step = bounds.findIndex((bound) => ms <= bound);
  return step === -1 ? LATENCY_STEPS - 1 : step;
}

/**
 * The latency in milliseconds that `share` of the answers did not exceed, to about an eighth; null
 * when there are none.
 */
export function latencyAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = Math.max(1, Math.ceil(total * share));
  const step = counts.findIndex((count) => {
    rest -= count;
    return rest <= 0;
  });
  const upper = bounds[step] ?? 0;
  return Math.round(step === 0 ? upper / 2 : upper / Math.sqrt(GROWTH));
}
