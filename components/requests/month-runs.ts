/** The month after one such as `2026-12`. */
function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}

/** Months such as `2026-08`, in any order, as runs of the first and the last month of each. */
export function monthRuns(months: readonly string[]): [from: string, to: string][] {
  const runs: [from: string, to: string][] = [];
  for (const month of [...new Set(months)].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && monthAfter(run[1]) === month) run[1] = month;
    else runs.push([month, month]);
  }
  return runs;
}
