/** What the ledger stores of an upstream's usage report: the numbers, and none of the texts. */
const plainName = /^\w{1,64}$/;

/**
 * The numbers of `reported` and, when `levels` exceeds 1, of its nested objects; at most
 * `countsMax` of each object.
 */
export function usageCounts(
  reported: object,
  levels: number,
  countsMax = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  const counts: Record<string, unknown> = {};
  let left = countsMax;
  for (const [name, value] of Object.entries(reported)) {
    if (left === 0) break;
    if (!plainName.test(name)) continue;
    if (Number.isFinite(value)) counts[name] = value;
    else if (levels > 1 && typeof value === "object" && value !== null && !Array.isArray(value)) {
      counts[name] = usageCounts(value, levels - 1, countsMax);
    } else continue;
    left--;
  }
  return counts;
}
