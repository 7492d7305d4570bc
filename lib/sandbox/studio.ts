/**
 * Generates images and videos in a worker thread, which is started on demand and ended after a long
 * idle time.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { StudioJob, StudioResult } from "./worker";

type StudioOrder = { readonly prompt: string; readonly width: number; readonly height: number } & (
  | { readonly kind: "png" }
  | { readonly kind: "mp4"; readonly seconds: number }
);

export interface Studio {
  /** The bytes of the file. Rejects when it could not be generated. */
  make(order: StudioOrder): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface WaitingOrder {
  readonly resolve: (file: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

const IDLE_MS = 60_000;

/** Beside the bundled server, or in the build folder when code runs from source. */
function workerFile(): string {
  const name = "sandbox-worker.mjs";
  const beside = join(import.meta.dirname, name);
  return existsSync(beside) ? beside : join(import.meta.dirname, "../../dist", name);
}

export function createStudio(): Studio {
  const waiting = new Map<number, WaitingOrder>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  function lose(lost: Worker, error: Error): void {
    if (worker !== lost) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function take(result: StudioResult): void {
    const waits = waiting.get(result.id);
    waiting.delete(result.id);
    if ("error" in result) waits?.reject(new Error(result.error));
    else waits?.resolve(result.file);
    if (waiting.size > 0) return;
    idle = setTimeout(() => void end(), IDLE_MS);
    idle.unref();
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    if (!ending) return;
    lose(ending, new Error("the studio was closed"));
    await ending.terminate();
  }

  function start(): Worker {
    const next = new Worker(workerFile());
    next.unref();
    next.on("message", take);
    next.on("error", (error) => lose(next, error));
    next.on("exit", () => lose(next, new Error("the studio's worker ended")));
    return next;
  }

  return {
    make(order) {
      clearTimeout(idle);
      worker ??= start();
      const current = worker;
      return new Promise((resolve, reject) => {
        const job: StudioJob = { ...order, id: ++jobs };
        waiting.set(job.id, { resolve, reject });
        current.postMessage(job);
      });
    },
    close: end,
  };
}
