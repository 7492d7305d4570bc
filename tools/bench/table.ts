/** The rows that `npm run bench` prints. */
import type { Kind } from "./options";

export interface Measured {
  readonly target: string;
  readonly kind: Kind;
  readonly callers: number;
  /** Chunks, of paced streams. */
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request, in microseconds; null if the processes are not known. */
  readonly processorMicroseconds: number | null;
  /** Of the product's PostgreSQL. */
  readonly postgresMicroseconds: number | null;
  /** The longest time that the product's event loop was blocked. */
  readonly longestBlockMs: number | null;
  /** What bounds the rate, if it is not the target. */
  readonly bottleneck: string | null;
}

const columns: readonly [name: string, width: number][] = [
  ["kind", 7],
  ["callers", 8],
  ["target", 8],
  ["req/s", 9],
  ["p50 ms", 9],
  ["p99 ms", 9],
  ["cpu µs/req", 11],
  ["pg µs/req", 11],
  ["ratio", 7],
  ["p50 added", 10],
  ["p99 added", 10],
  ["block ms", 10],
  ["", 0],
];

const lineOf = (cells: readonly string[]) =>
  cells
    .map((cell, at) =>
      at < 3 ? cell.padEnd(columns[at]?.[1] ?? 0) : cell.padStart(columns[at]?.[1] ?? 0),
    )
    .join(" ")
    .trimEnd();

export const headLine = () => lineOf(columns.map(([name]) => name));

/** `proxy`: the measurement that the row is compared with. */
export function row(measured: Measured, proxy: Measured | null): string {
  const { processorMicroseconds: own, postgresMicroseconds, failures, bottleneck } = measured;
  const base = proxy?.processorMicroseconds;
  const added = (name: "p50Ms" | "p99Ms") => {
    if (proxy === null) return "";
    const more = measured[name] - proxy[name];
    return `${more < 0 ? "" : "+"}${more.toFixed(2)}`;
  };
  const notes = [
    failures > 0 ? `${failures} failed` : "",
    bottleneck === null ? "" : `bottleneck: ${bottleneck}`,
  ];
  return lineOf([
    measured.kind,
    String(measured.callers),
    measured.target,
    (measured.requests / measured.seconds).toFixed(0),
    measured.p50Ms.toFixed(2),
    measured.p99Ms.toFixed(2),
    own?.toFixed(1) ?? "",
    postgresMicroseconds?.toFixed(1) ?? "",
    own !== null && base ? (own / base).toFixed(2) : "",
    added("p50Ms"),
    added("p99Ms"),
    measured.longestBlockMs?.toFixed(1) ?? "",
    notes.filter(Boolean).join(", "),
  ]);
}
