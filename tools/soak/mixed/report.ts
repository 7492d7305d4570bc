/** The verdict of a run, as a table and as JSON. */
import { z } from "zod";
import type { Book } from "./book";
import { SLOPE_MIB_MAX, type Slope } from "./memory";
import { breaches, type Findings } from "./verdict";

const count = z.int().min(0);
export const reportSchema = z.object({
  passed: z.boolean(),
  at: z.iso.datetime(),
  commit: z.string(),
  seed: z.int(),
  seconds: count,
  clock: z.string(),
  redis: z.boolean(),
  orders: count,
  answers: count,
  operations: count,
  settled: count,
  released: count,
  kills: count,
  databaseStops: count,
  faults: z.record(z.string(), count),
  breaches: z.record(z.string(), count),
  checks: count,
  slopes: z.array(
    z.object({
      process: z.string(),
      minutes: count,
      mib: z.number(),
      mibPerMinute: z.number(),
    }),
  ),
  audit: z.object({ product: z.string(), own: z.string() }),
  reasons: z.array(z.string()),
});
export type Report = z.infer<typeof reportSchema>;

export interface RunFacts
  extends Pick<
    Report,
    "at" | "commit" | "seed" | "seconds" | "clock" | "redis" | "checks" | "audit"
  > {
  readonly book: Book;
  readonly findings: Findings;
  readonly slopes: readonly Slope[];
  /** Whatever else is wrong. */
  readonly reasons: readonly string[];
}

export function reportOf({ book, findings, slopes, reasons, ...facts }: RunFacts): Report {
  const steep = slopes
    .filter(({ mibPerMinute }) => mibPerMinute >= SLOPE_MIB_MAX)
    .map(({ process, mibPerMinute }) => `${process} grows by ${mibPerMinute.toFixed(2)} MiB/min`);
  const all = [...reasons, ...findings.examples, ...steep];
  return {
    ...facts,
    passed: all.length === 0 && Object.values(findings.counts).every((found) => found === 0),
    orders: book.orders.size,
    answers: book.told.get("whole") ?? 0,
    operations: findings.operations,
    settled: findings.settled,
    released: findings.released,
    kills: book.kills,
    databaseStops: book.stops,
    faults: Object.fromEntries(book.faults),
    breaches: findings.counts,
    slopes: slopes.map((slope) => ({ ...slope })),
    reasons: all,
  };
}

/** The table that the run prints. */
export function tableOf(report: Report): string {
  const { slopes, faults, audit } = report;
  const longest = slopes.map(
    ({ process, minutes, mibPerMinute }) =>
      `${process}: ${mibPerMinute.toFixed(3)} MiB a minute over ${minutes} minutes`,
  );
  const rows: [string, string | number][] = [
    ["time", `${(report.seconds / 60).toFixed(1)} minutes, seed ${report.seed}`],
    ["clock", report.clock],
    ["Redis", report.redis ? "shared by the servers" : "not installed"],
    ["orders of clients", report.orders],
    ["answers they had whole", report.answers],
    ["operations", `${report.operations}: ${report.settled} settled, ${report.released} released`],
    ["processes killed", report.kills],
    ["database stops", report.databaseStops],
    ...Object.entries(faults).map(([name, times]): [string, number] => [`  ${name}`, times]),
    ["comparisons with the book", report.checks],
    ...Object.entries(breaches).map(([name, title]): [string, number] => [
      `  ${title}`,
      report.breaches[name] ?? 0,
    ]),
    ["memory", longest.join("; ") || "no process lived long enough to be judged"],
    ["the product's audit", audit.product],
    ["the audit that shares no code", audit.own],
    ["verdict", report.passed ? "passed" : "failed"],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
