/** The most memory of its own that a process has while something runs (Linux). */
import { readFileSync } from "node:fs";

const SAMPLE_MS = 100;

/** Bytes that no other process shares: without the shared buffers of PostgreSQL. */
function ownBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** The result, and the peak in bytes of each process. */
export async function withPeakMemory<Result>(
  pids: readonly number[],
  work: () => Promise<Result>,
): Promise<{ result: Result; peaks: number[] }> {
  const peaks = pids.map(ownBytes);
  const look = () => {
    for (const [at, pid] of pids.entries()) peaks[at] = Math.max(peaks[at] ?? 0, ownBytes(pid));
  };
  const timer = setInterval(look, SAMPLE_MS);
  try {
    const result = await work();
    look();
    return { result, peaks };
  } finally {
    clearInterval(timer);
  }
}
