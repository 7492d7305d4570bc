/** One worker process, as the primary sees it. */
import cluster, { type Worker } from "node:cluster";
import type { FromPrimary, FromWorker } from "@/lib/cluster/messages";
import { PROTOCOL } from "@/lib/cluster/messages";
import { copyLines } from "./log-lines";

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface MemberOptions {
  readonly number: number;
  readonly nodeId: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onMessage: (member: Member, message: FromWorker) => void;
}

export class Member {
  readonly number: number;
  readonly nodeId: string;
  readonly startedAt = performance.now();
  heardAt = performance.now();
  isServing = false;
  /** It gets no new requests, and its end is wanted. */
  isLeaving = false;
  /** True when it serves; false when it ended first, or is of another build. */
  readonly serving: Promise<boolean>;
  readonly gone: Promise<Ended>;
  readonly #worker: Worker;

  constructor({ number, nodeId, environment, onMessage }: MemberOptions) {
    this.number = number;
    this.nodeId = nodeId;
    const worker = cluster.fork(environment);
    this.#worker = worker;
    const { stdout, stderr } = worker.process;
    if (stdout) copyLines(stdout, process.stdout);
    if (stderr) copyLines(stderr, process.stderr);
    let settle = (_: boolean) => {};
    this.serving = new Promise((resolve) => {
      settle = resolve;
    });
    worker.on("message", (message: FromWorker) => {
      this.heardAt = performance.now();
      if (message.kind === "serving") {
        this.isServing = message.protocol === PROTOCOL;
        settle(this.isServing);
      }
      onMessage(this, message);
    });
    // A worker whose channel breaks ends, and that is noticed.
    worker.on("error", () => {});
    this.gone = new Promise((resolve) => {
      worker.process.once("exit", (code, signal) => {
        this.isServing = false;
        settle(false);
        resolve({ code, signal });
      });
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  tell(message: FromPrimary): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }
}
