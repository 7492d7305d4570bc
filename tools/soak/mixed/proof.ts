/** Adds the verdict of a run to the table of `docs/proof.md`, and its totals. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Report, reportSchema } from "./report";

// Beside the bundle in `dist/soak`.
const file = join(import.meta.dirname, "../../docs/proof.md");
const BEGIN = "<!-- runs -->";
const END = "<!-- end of runs -->";
const heads = [
  "ended",
  "commit",
  "seed",
  "minutes",
  "kills",
  "database stops",
  "charges",
  "breaches",
  "steepest memory, MiB a minute",
  "audits",
] as const;
/** The goals of all runs together. */
const goals = { kills: 3000, stops: 150, hours: 10 };

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function cellsOf(report: Report): string[] {
  const slopes = report.slopes.map(({ mibPerMinute }) => mibPerMinute);
  const { audit, breaches, reasons } = report;
  const isClean = audit.product === "clean" && audit.own.startsWith("clean");
  return [
    report.at.slice(0, 16).replace("T", " "),
    report.commit,
    report.seed,
    (report.seconds / 60).toFixed(1),
    report.kills,
    report.databaseStops,
    report.settled,
    report.passed ? 0 : Math.max(1, sumOf(breaches), reasons.length),
    slopes.length === 0 ? "too short" : Math.max(...slopes).toFixed(3),
    isClean ? "both clean" : "not clean",
  ].map(String);
}

/** A table as the formatter writes it. */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const [head = "", ...lines] = rows.map(
    (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`,
  );
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines];
}

/** The page with one more run; its totals are those of the table. */
export function withRun(page: string, report: Report): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page has no part from ${BEGIN} to ${END}`);
  const earlier = page
    .slice(begin, end)
    .split("\n")
    .filter((line) => /^\| \d{4}-/.test(line));
  const rows = earlier.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  rows.push(cellsOf(report));
  const total = (head: (typeof heads)[number]) =>
    rows.reduce((sum, cells) => sum + Number(cells[heads.indexOf(head)]), 0);
  const table = tableOf([heads, ...rows]);
  const hours = total("minutes") / 60;
  const totals = [
    `All runs together: **${total("kills")} kills of ${goals.kills}, ${total("database stops")} database stops of ${goals.stops}, ` +
      `${hours.toFixed(1)} hours of ${goals.hours}**; ${total("charges")} charges compared, ${total("breaches")} breaches.`,
  ];
  const part = [BEGIN, "", ...table, "", ...totals, "", ""].join("\n");
  return page.slice(0, begin) + part + page.slice(end);
}

export function recordRun(verdictFile: string): void {
  const report = reportSchema.parse(JSON.parse(readFileSync(verdictFile, "utf8")));
  writeFileSync(file, withRun(readFileSync(file, "utf8"), report));
  console.log(`The run is in ${file}.`);
}
