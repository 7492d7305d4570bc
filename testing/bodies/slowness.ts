/** Fits a limit in milliseconds to the machine: some have several times the latency of memory of others. */

/** An estimate of what the work below takes on a usual machine: it was not measured on the one that the limits are from. */
const USUAL_MS = 35;
const AT_MOST = 4;
const RUNS = 5;

/** How many times as long this machine takes for the same work as the usual one: between 1 and 4. */
export function slowness(): number {
  const rows = Array.from({ length: 60_000 }, (_, place) => ({
    [`name${place}`]: place,
    text: "x".repeat(10),
  }));
  const text = JSON.stringify(rows);
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    JSON.parse(text);
    return performance.now() - startedAt;
  });
  return Math.min(Math.max(Math.min(...times) / USUAL_MS, 1), AT_MOST);
}
