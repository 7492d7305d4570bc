/** The product as an operator runs it, in processes that a test may kill. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { pause } from "@/lib/pause";
import { processTree } from "./processor-time";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

export interface Product {
  readonly url: string;
  /** The server's process. */
  readonly pid: number;
  hasEnded(): boolean;
  /** kill -9 of all its processes. `everything` includes the embedded PostgreSQL. */
  kill(everything: boolean): Promise<void>;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Runs one command of the command line and returns its JSON. */
export async function relay<T>(environment: Environment, ...words: string[]): Promise<T> {
  const { stdout } = await run("npm", ["run", "--silent", "relay", "--", ...words, "--json"], {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

async function waitUntilServed(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (const started = Date.now(); ; ) {
    if (
      // A connection of its own: a kept one may lead to a worker of an earlier start.
      await fetch(`${url}/readyz`, { headers: { connection: "close" } }).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the product ended at its start:\n${log()}`);
    if (Date.now() - started > 120_000)
      throw new Error(`the product did not answer in time:\n${log()}`);
    await pause(25);
  }
}

/** Starts what `npm start` runs, on the port in `environment`, and waits until it serves. */
export async function startProduct(environment: Environment): Promise<Product> {
  const child = spawn(process.execPath, [join(root, "server/start.mjs")], {
    cwd: root,
    env: { RELAY_PROCESSES: "1", ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      log = (log + part.toString()).slice(-6000);
    });
  }
  const url = `http://127.0.0.1:${environment.PORT}`;
  await waitUntilServed(url, child, () => log);
  return {
    url,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async (everything) => {
      const tree = processTree(child.pid ?? 0).filter((pid) => everything || !isPostgres(pid));
      for (const pid of tree) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {}
      }
      await ended(child);
    },
    stop: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      return ended(child);
    },
  };
}
