/** Formats the result of a run as a table. */
import type { Evaluation } from "./marks";

const MEBIBYTE = 1024 * 1024;
const SATURATED_IDLE_SHARE = 0.05;
/** Above it, times say as much about the host's other guests as about the product. */
const STOLEN_SHARE_MAX = 0.03;

/** The name of the row in which only the victim sends requests. */
export const IDLE_ROW = "nothing";
/**
 * If the victim alone is slower than this, the machine is too busy for the times to say much about
 * the product.
 */
const IDLE_P99_MS_MAX = 100;

const titles = [
  "attack",
  "sent",
  "answers",
  "died",
  "block ms",
  "own",
  "gc",
  "ping",
  "victim p50/p99/max",
  "failed",
  "RSS MiB before/peak/after",
  "heap/external after",
  "idle/stolen %",
  "s",
];

function cells(judged: Evaluation): string[] {
  const { name, outcome, victim, memory } = judged;
  const whole = (value: number | null) =>
    value === null || Number.isNaN(value) ? "–" : String(Math.round(value));
  const answers = Object.entries(outcome.answers)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => `${what}×${count}`);
  return [
    `${judged.misses.length === 0 ? "✓" : "✗"} ${name}`,
    String(outcome.sent),
    answers.join(" "),
    judged.diedAt !== null ? "DIED" : "no",
    whole(judged.longestBlockMs),
    whole(judged.longestOwnBlockMs),
    whole(judged.longestPauseMs),
    whole(judged.longestPingMs),
    [victim.p50Ms, victim.p99Ms, victim.maxMs].map(whole).join("/"),
    `${victim.failures}/${victim.requests}`,
    [memory.beforeBytes, memory.peakBytes, memory.afterBytes]
      .map((bytes) => (bytes === 0 ? "–" : whole(bytes / MEBIBYTE)))
      .join("/"),
    [memory.heap?.heapUsed, memory.heap?.external]
      .map((bytes) => (bytes === undefined ? "–" : whole(bytes / MEBIBYTE)))
      .join("/"),
    [judged.machine.idle, judged.machine.stolen].map((share) => whole(100 * share)).join("/"),
    whole(judged.seconds),
  ];
}

/** What the server executed during the longest block. */
export function profileReport({ profile, longestOwnBlockMs }: Evaluation): string {
  const part = (title: string, lines: readonly string[] = []) =>
    `    ${title}\n${lines.map((line) => `      ${line}\n`).join("")}`;
  const title = `the longest block, ${Math.round(longestOwnBlockMs ?? 0)} ms, by own time:`;
  return part(title, profile?.own) + part("with what was called:", profile?.whole);
}

/** The table, followed by the violated limits. */
export function report(results: readonly Evaluation[]): string {
  const rows = [titles, ...results.map(cells)];
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const misses = results.flatMap(({ name, misses }) => misses.map((miss) => `  ${name}: ${miss}`));
  const saturated = results
    .filter(({ machine }) => machine.idle < SATURATED_IDLE_SHARE)
    .map(({ name }) => name);
  const notes = [
    "",
    "block: the longest time that the server's event loop was blocked; own: without the wait for a processor; gc: the",
    "longest pause of the garbage collector; ping: the longest /healthz, measured from outside.",
  ];
  if (saturated.length > 0)
    notes.push(
      `The machine had no processor left during: ${saturated.join(", ")}. The victim's times include that.`,
    );
  const robbed = results
    .filter(({ machine }) => machine.stolen > STOLEN_SHARE_MAX)
    .map(({ name }) => name);
  if (robbed.length > 0)
    notes.push(
      `The host gave processors of this machine to others during: ${robbed.join(", ")}. All times include that.`,
    );
  const idle = results.find(({ name }) => name === IDLE_ROW)?.victim.p99Ms ?? 0;
  if (idle > IDLE_P99_MS_MAX)
    notes.push(
      `The machine was busy with other things: the victim's p99 was ${Math.round(idle)} ms while nothing was attacked.`,
    );
  return [
    ...table,
    ...notes,
    "",
    ...(misses.length === 0 ? ["All limits were met."] : ["Missed:", ...misses]),
  ].join("\n");
}
