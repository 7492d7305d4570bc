/** A load, with the processor time that groups of processes use while it runs. */
import { processesSeconds } from "@/testing/stage/processes";
import type { LoadResult } from "./load";

export interface Timed<Group extends string> {
  /** From the first request to the last answer. */
  readonly wallSeconds: number;
  /** By group: seconds of one core. */
  readonly spent: Readonly<Record<Group, number>>;
  /** By group: processor time of one request, in microseconds. */
  readonly each: Readonly<Record<Group, number>>;
}

/** `groups`: the ids of the processes of each group. */
export async function timedLoad<Group extends string>(
  load: () => Promise<LoadResult>,
  groups: Readonly<Record<Group, readonly number[]>>,
): Promise<LoadResult & Timed<Group>> {
  const entries = Object.entries(groups) as [Group, readonly number[]][];
  const before = entries.map(([, pids]) => processesSeconds(pids));
  const startedAt = performance.now();
  const result = await load();
  const wallSeconds = (performance.now() - startedAt) / 1000;
  const spent = entries.map(
    ([group, pids], at) => [group, processesSeconds(pids) - (before[at] ?? 0)] as const,
  );
  const each = spent.map(([group, seconds]) => [group, (seconds / result.requests) * 1e6] as const);
  return {
    ...result,
    wallSeconds,
    spent: Object.fromEntries(spent) as Record<Group, number>,
    each: Object.fromEntries(each) as Record<Group, number>,
  };
}
