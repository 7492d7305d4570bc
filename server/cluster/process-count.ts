import { availableParallelism, totalmem } from "node:os";
import type { Settings } from "@/lib/settings/settings";

/** `auto` is at most this many. */
const AUTO_MAX = 8;
/** A worker uses 200 to 400 MB. */
const WORKER_BYTES = 512 * 1024 * 1024;

interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** The memory of the machine, or of the container that this process is in. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const thisMachine = (): Machine => ({ cores: availableParallelism(), memoryBytes: memoryHere() });

/**
 * How many processes serve: `RELAY_PROCESSES`. `auto` is one for every two cores, as far as there is
 * memory: PostgreSQL, the upstreams' answers and the operating system need the others.
 */
export function processCount(
  { RELAY_PROCESSES }: Pick<Settings, "RELAY_PROCESSES">,
  { cores, memoryBytes }: Machine = thisMachine(),
): number {
  if (process.env.NODE_ENV === "development") return 1;
  if (RELAY_PROCESSES !== "auto") return RELAY_PROCESSES;
  const workers = Math.min(AUTO_MAX, Math.floor(cores / 2), Math.floor(memoryBytes / WORKER_BYTES));
  return Math.max(1, workers);
}
