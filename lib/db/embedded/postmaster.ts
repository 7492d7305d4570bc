/** The running server as the operating system and its lock file show it. */
import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../pause";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Stands in the command line of every process of a server, so that a process is known to be of this folder and no copy of it. */
export function clusterName(clusterFolder: string): string {
  const { dev, ino } = statSync(clusterFolder);
  return `relay-${dev}-${ino}`;
}

/** The command line of a living process; a process that ended and was not yet collected has none. */
function commandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
  } catch {
    return "";
  }
}

function livingProcesses(): number[] {
  if (process.platform === "linux") return readdirSync("/proc").map(Number).filter(Number.isInteger);
  return execFileSync("ps", ["-axo", "pid="], { encoding: "utf8" }).split("\n").map(Number);
}

function lockFile(clusterFolder: string): string {
  return join(clusterFolder, "postmaster.pid");
}

/** What the lock file says, whether or not it is still true. */
export function readLock(clusterFolder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(lockFile(clusterFolder), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3] ?? 0) } : undefined;
  } catch {
    return undefined;
  }
}

/** The lock file's server if it lives. */
export function livePostmaster(clusterFolder: string): Postmaster | undefined {
  const lock = readLock(clusterFolder);
  return lock && commandLine(lock.pid).includes(clusterName(clusterFolder)) ? lock : undefined;
}

/**
 * Removes a lock whose server is gone although its process id answers: collected by nobody yet, or given to another program since.
 * A lock with any living process of this server beside it stays, since two servers on one folder destroy it.
 */
export function removeDeadLock(clusterFolder: string): void {
  const dead = readLock(clusterFolder);
  if (dead === undefined) return;
  const name = clusterName(clusterFolder);
  if (livingProcesses().some((pid) => commandLine(pid).includes(name))) return;
  const aside = `${lockFile(clusterFolder)}.${process.pid}`;
  try {
    renameSync(lockFile(clusterFolder), aside);
    // Another start may have replaced the dead lock by its own since it was read: that one goes back.
    if (!readFileSync(aside, "utf8").startsWith(`${dead.pid}\n`)) linkSync(aside, lockFile(clusterFolder));
  } catch {
    // Another start was quicker.
  } finally {
    rmSync(aside, { force: true });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Stops the server at once for its clients but cleanly for its files; resolves when it has gone. */
export async function stopPostmaster(clusterFolder: string): Promise<void> {
  const running = livePostmaster(clusterFolder);
  if (running === undefined) return;
  const startedAt = Date.now();
  let sent: NodeJS.Signals | undefined;
  while (livePostmaster(clusterFolder)?.pid === running.pid) {
    const signal = Date.now() - startedAt < 20_000 ? "SIGINT" : "SIGQUIT";
    if (sent !== signal) send(running.pid, signal);
    sent = signal;
    await pause(20);
  }
}
