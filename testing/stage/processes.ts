/** Processes of this machine, as the kernel lists them (Linux). */
import { readdirSync, readFileSync } from "node:fs";

/** The processor time of all threads of a process, in seconds. */
function processSeconds(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(
        readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0],
      );
    }
  } catch {}
  return nanoseconds / 1e9;
}

export function parentProcess(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
  return Number(fields.split(" ")[1]);
}

/** A process and all its descendants. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {}
  }
  const tree: number[] = [];
  const queue = [root];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    tree.push(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return tree;
}

/** The processor time of several processes, in seconds. */
export function processesSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processSeconds(pid), 0);
}

/** The resident memory of a process in bytes; 0 when it is gone. */
export function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Sends a signal to those that are still there. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {}
}

/** The program that a process runs; empty when it is gone. */
export function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
