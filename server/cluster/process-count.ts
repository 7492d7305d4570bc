import { availableParallelism, totalmem } from "node:os";
import type { Settings } from "@/lib/settings";

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
 * How many processes serve: `RELAY_PROCESSES`, by default one. `auto` is as many as there are cores
 * and memory for; the embedded PostgreSQL needs as much of the processors as the product, so it gets
 * half of them.
 */
export function processCount(
  { RELAY_PROCESSES, DATABASE_URL }: Pick<Settings, "RELAY_PROCESSES" | "DATABASE_URL">,
  { cores, memoryBytes }: Machine = thisMachine(),
): number {
  if (process.env.NODE_ENV === "development") return 1;
  if (RELAY_PROCESSES !== "auto") return RELAY_PROCESSES ?? 1;
  const ownCores = DATABASE_URL === undefined ? Math.floor(cores / 2) : cores;
  return Math.max(1, Math.min(AUTO_MAX, ownCores, Math.floor(memoryBytes / WORKER_BYTES)));
}
