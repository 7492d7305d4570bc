/** The running server, as the operating system and its lock file show it. */
import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../timing/pause";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/**
 * The name in the command line of every process of a server. It distinguishes this folder's
 * processes from those of a copy of it.
 */
export function clusterName(clusterFolder: string): string {
  const { dev, ino } = statSync(clusterFolder);
  return `relay-${dev}-${ino}`;
}

/** The command line of a running process. A process that has ended but was not reaped has none. */
function commandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
  } catch {
    return "";
  }
}

function livingProcesses(): number[] {
  if (process.platform === "linux")
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  return execFileSync("ps", ["-axo", "pid="], { encoding: "utf8" }).split("\n").map(Number);
}

function lockFile(clusterFolder: string): string {
  return join(clusterFolder, "postmaster.pid");
}

/** The contents of the lock file, whether or not they are still true. */
function readLock(clusterFolder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(lockFile(clusterFolder), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3] ?? 0) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The port of the folder's last start, also of a server that ended or of one that is still starting.
 * 0 in a new folder and in the copy of another one.
 */
export function lastPort(clusterFolder: string): number {
  try {
    const command = readFileSync(join(clusterFolder, "postmaster.opts"), "utf8");
    if (!command.includes(`=${clusterName(clusterFolder)}"`)) return 0;
    return Number(/"-p" "(\d{1,5})"/.exec(command)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The lock file's server, if it is running. */
export function livePostmaster(clusterFolder: string): Postmaster | undefined {
  const lock = readLock(clusterFolder);
  return lock && commandLine(lock.pid).includes(clusterName(clusterFolder)) ? lock : undefined;
}

/**
 * Removes the lock file of a server that is gone although its process id exists: not reaped yet, or
 * reused by another program. The lock stays as long as any process of this server runs, since two
 * servers on one folder destroy it.
 */
export function removeDeadLock(clusterFolder: string): void {
  const dead = readLock(clusterFolder);
  if (dead === undefined) return;
  const name = clusterName(clusterFolder);
  if (livingProcesses().some((pid) => commandLine(pid).includes(name))) return;
  const aside = `${lockFile(clusterFolder)}.${process.pid}`;
  try {
    renameSync(lockFile(clusterFolder), aside);
    // Another start may have written its own lock since this one was read: put that one back.
    if (!readFileSync(aside, "utf8").startsWith(`${dead.pid}\n`))
      linkSync(aside, lockFile(clusterFolder));
  } catch {
    // Another start was faster.
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

/**
 * Stops the server: clients are disconnected at once, files are closed cleanly. Resolves when it is
 * gone.
 */
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
