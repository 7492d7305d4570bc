/** The servers of a run, as processes that faults may kill and freeze. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pause } from "@/lib/pause";
import { parentProcess, processTree } from "../processor-time";
import { type Environment, type Product, startProduct } from "../product";

const RECOVERY_MS_MAX = 120_000;
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

function exists(pid: number): boolean {
  try {
    // A process that has ended but was not reaped has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {}
}

export interface ServerOptions {
  readonly name: string;
  readonly environment: Environment;
  readonly workers: number;
  /** The file that has the offset of its clock; null without libfaketime. */
  readonly clockFile: string | null;
}

/** One server: a process, or a primary process with its workers. */
export class Server {
  #product: Product | null = null;

  constructor(readonly options: ServerOptions) {}

  get name(): string {
    return this.options.name;
  }

  get isCluster(): boolean {
    return this.options.workers > 1;
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.environment.PORT}`;
  }

  get pid(): number {
    return this.#product?.pid ?? 0;
  }

  /** The workers of a cluster. */
  get workerPids(): number[] {
    return processTree(this.pid).filter((pid) => {
      try {
        return pid !== this.pid && parentProcess(pid) === this.pid;
      } catch {
        return false;
      }
    });
  }

  /** Starts it again when it ends at once, as a supervisor does: the database may be away. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        this.#product = await startProduct(this.options.environment);
        return;
      } catch (error) {
        if (tries === STARTS_MAX) throw error;
        await pause(1000);
      }
  }

  /** Ends what is left of it after a run that failed. */
  abandon(): void {
    signal(processTree(this.pid), "SIGKILL");
  }

  /** kill -9 of the process; of a cluster, of the primary only: its workers end by themselves. */
  async killAndStart(): Promise<void> {
    const { pid } = this;
    signal([pid], "SIGKILL");
    for (const started = Date.now(); exists(pid) && Date.now() - started < 5000; ) await pause(5);
    await this.start();
  }

  setClock(offsetSeconds: number): void {
    const { clockFile } = this.options;
    const sign = offsetSeconds < 0 ? "-" : "+";
    if (clockFile !== null) writeFileSync(clockFile, `${sign}${Math.abs(offsetSeconds)}\n`);
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(5000),
    }).catch(() => null);
    await answer?.text().catch(() => null);
    return (
      answer?.ok === true && (!this.isCluster || this.workerPids.length >= this.options.workers)
    );
  }

  /**
   * Waits until it serves with all workers; false when it does not. Starts it again when it ended,
   * as a supervisor does: it may have started while the database was away.
   */
  async recovered(): Promise<boolean> {
    for (const started = Date.now(); Date.now() - started < RECOVERY_MS_MAX; await pause(50)) {
      if (this.#product?.hasEnded()) await this.start();
      if (await this.isReady()) return true;
    }
    return false;
  }

  async stop(): Promise<number | null> {
    return (await this.#product?.stop()) ?? null;
  }
}

/** The environment with a clock that a file may step. Timers go on as they were. */
export function withClock(environment: Environment, library: string, file: string): Environment {
  writeFileSync(file, "+0\n");
  return {
    ...environment,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DISABLE_SHM: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_XRESET: "1",
    NO_FAKE_STAT: "1",
  };
}
