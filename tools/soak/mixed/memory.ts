/** Samples the memory of processes, and fits a line through the samples of each. */
import { residentBytes } from "@/testing/stage/processes";
import { isCluster } from "./servers";
import type { Stage } from "./stage";

const EVERY_MS = 5000;
/** A young process still compiles its code and fills its caches. */
const WARM_UP_SECONDS = 180;
/** A line through less says nothing. */
const SECONDS_MIN = 600;
export const SLOPE_MIB_MAX = 1;

export interface Sample {
  readonly second: number;
  readonly mib: number;
}
export interface Slope {
  readonly process: string;
  readonly minutes: number;
  readonly mib: number;
  readonly mibPerMinute: number;
}

/** The slope by least squares, in MiB a minute; 0 for fewer than two samples. */
export function slopeOf(samples: readonly Sample[]): number {
  const count = samples.length;
  const meanX = samples.reduce((sum, { second }) => sum + second, 0) / count;
  const meanY = samples.reduce((sum, { mib }) => sum + mib, 0) / count;
  let covariance = 0;
  let variance = 0;
  for (const { second, mib } of samples) {
    covariance += (second - meanX) * (mib - meanY);
    variance += (second - meanX) ** 2;
  }
  return variance === 0 ? 0 : (covariance / variance) * 60;
}

/** The slopes of the processes that lived long enough. */
export function slopesOf(lives: ReadonlyMap<string, readonly Sample[]>): Slope[] {
  return [...lives].flatMap(([process, samples]) => {
    const begun = (samples[0]?.second ?? 0) + WARM_UP_SECONDS;
    const warm = samples.filter(({ second }) => second >= begun);
    const seconds = (warm.at(-1)?.second ?? 0) - (warm[0]?.second ?? 0);
    if (seconds < SECONDS_MIN) return [];
    const mib = warm.at(-1)?.mib ?? 0;
    return [{ process, minutes: Math.round(seconds / 60), mib, mibPerMinute: slopeOf(warm) }];
  });
}

export interface MemoryWatch {
  /** By process: its role and its id. */
  readonly lives: ReadonlyMap<string, readonly Sample[]>;
  stop(): void;
}

export function watchMemory({ servers }: Stage): MemoryWatch {
  const lives = new Map<string, Sample[]>();
  const startedAt = performance.now();
  const sample = (role: string, pid: number) => {
    const mib = residentBytes(pid) / 1024 ** 2;
    if (mib === 0) return;
    const name = `${role} ${pid}`;
    const second = (performance.now() - startedAt) / 1000;
    lives.set(name, [...(lives.get(name) ?? []), { second, mib }]);
  };
  const timer = setInterval(() => {
    for (const server of servers) {
      sample(isCluster(server) ? "primary" : server.name, server.pid);
      if (isCluster(server)) for (const pid of server.workerPids) sample("worker", pid);
    }
  }, EVERY_MS);
  return { lives, stop: () => clearInterval(timer) };
}
