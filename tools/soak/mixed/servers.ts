/** What a run does to its servers beside killing them: clocks, and waiting until they serve again. */
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { pause } from "@/lib/timing/pause";
import { signal } from "@/testing/stage/processes";
import type { Environment } from "@/testing/stage/product";
import type { Server } from "@/testing/stage/server";

const RECOVERY_MS_MAX = 120_000;
/** How often it is started again when it ends at once: the database may be away. */
const STARTS_MAX = 30;

/** Where Debian's package `libfaketime` has the library; null without it. */
export function fakeTimeLibrary(): string | null {
  const folder = "/usr/lib";
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = `${folder}/${name}/faketime/libfaketimeMT.so.1`;
    if (existsSync(file)) return file;
  }
  return null;
}

/** Settings for a clock that a file may step. Timers go on as they were. */
export function clockOf(library: string, file: string): Environment {
  writeFileSync(file, "+0\n");
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DISABLE_SHM: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_XRESET: "1",
    NO_FAKE_STAT: "1",
  };
}

export function setClock({ options }: Server, offsetSeconds: number): void {
  const file = options.settings.FAKETIME_TIMESTAMP_FILE;
  const sign = offsetSeconds < 0 ? "-" : "+";
  if (file !== undefined) writeFileSync(file, `${sign}${Math.abs(offsetSeconds)}\n`);
}

const processesOf = ({ options }: Server) => Number(options.settings.RELAY_PROCESSES ?? 1);
export const isCluster = (server: Server) => processesOf(server) > 1;

/** kill -9 of the process; of a cluster, of the primary only: its workers end by themselves. */
export async function killAndStart(server: Server): Promise<void> {
  const gone = server.hasEnded() ? null : once(server.product.process, "exit");
  signal([server.pid], "SIGKILL");
  await gone;
  await server.start(STARTS_MAX);
}

async function isReady(server: Server): Promise<boolean> {
  // A connection of its own: a kept one may lead to a worker of an earlier start.
  const answer = await fetch(`${server.url}/readyz`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(5000),
  }).catch(() => null);
  await answer?.text().catch(() => null);
  const workers = isCluster(server) ? processesOf(server) : 0;
  return answer?.ok === true && server.workerPids.length >= workers;
}

/**
 * Waits until it serves with all workers; false when it does not. Starts it again when it ended,
 * as a supervisor does: it may have started while the database was away.
 */
export async function hasRecovered(server: Server): Promise<boolean> {
  for (const started = Date.now(); Date.now() - started < RECOVERY_MS_MAX; await pause(50)) {
    if (server.hasEnded()) await server.start(STARTS_MAX);
    if (await isReady(server)) return true;
  }
  return false;
}
