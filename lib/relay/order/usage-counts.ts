/** What the ledger keeps of a usage object that an upstream reported: its numbers, and none of the upstream's texts. */
const plainName = /^\w{1,64}$/;

/**
 * The numbers of `reported` and, where `levels` is more than 1, of the objects within it; of each object at most `countsMax`.
 */
export function usageCounts(reported: object, levels: number, countsMax = Number.POSITIVE_INFINITY): Record<string, unknown> {
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
