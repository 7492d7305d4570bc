/**
 * Observes the server from outside and through its probe: whether it lives, its memory, its event
 * loop.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { residentBytes } from "../../testing/stage/processes";
import { hasEnded } from "../../testing/stage/product";
import type { Target } from "./wire";

const SAMPLE_MS = 100;
const PING_MS = 10;
const PROBE_MS = 60_000;

export interface Block {
  /** The end of the block in epoch milliseconds. */
  readonly at: number;
  readonly ms: number;
  /** Without the time in which the thread waited for a processor. */
  readonly ownMs: number;
}

/** Bytes after a garbage collection. */
export interface HeapFigures {
  readonly heapUsed: number;
  /** The memory that V8 has reserved for objects, used or not. */
  readonly heapTotal: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

export interface ProbeFigures extends HeapFigures {
  readonly blocks: readonly Block[];
  readonly longestMs: number;
  readonly longestOwnMs: number;
  /** The longest pause of the garbage collector. */
  readonly longestPauseMs: number;
  /** What ran during the longest block; null without `--profile`. */
  readonly profile: { readonly own: readonly string[]; readonly whole: readonly string[] } | null;
}

export interface MachineShares {
  /** The share of all processors that was idle. */
  readonly idle: number;
  /** The share that was ready to run here and that the host gave to others. */
  readonly stolen: number;
}

/** What became of the processors' time since the last call. Not a number where it is not known. */
export function watchMachine(): () => MachineShares {
  const read = () => {
    const fields =
      /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]?.split(" ").map(Number) ?? [];
    return {
      idle: (fields[3] ?? 0) + (fields[4] ?? 0),
      stolen: fields[7] ?? 0,
      all: fields.reduce((sum, value) => sum + value, 0),
    };
  };
  if (process.platform !== "linux") return () => ({ idle: Number.NaN, stolen: Number.NaN });
  let last = read();
  return () => {
    const now = read();
    const share = (what: "idle" | "stolen") =>
      (now[what] - last[what]) / Math.max(1, now.all - last.all);
    const shares = { idle: share("idle"), stolen: share("stolen") };
    last = now;
    return shares;
  };
}

/**
 * Asks the probe for its figures since the last call; `collect` makes it collect garbage first.
 * Null when there is no probe, or no answer.
 */
export function askProbe(
  server: ChildProcess | null,
  what: "read" | "collect",
): Promise<ProbeFigures | null> {
  if (server === null || hasEnded(server) || !server.connected) return Promise.resolve(null);
  return new Promise((resolve) => {
    const settle = (figures: ProbeFigures | null) => {
      clearTimeout(timer);
      server.off("message", listen).off("exit", gone);
      resolve(figures);
    };
    const gone = () => settle(null);
    const listen = (message: unknown) => {
      const figures = (message as { probe?: ProbeFigures } | null)?.probe;
      if (figures !== undefined) settle(figures);
    };
    const timer = setTimeout(gone, PROBE_MS);
    server.on("message", listen).once("exit", gone);
    server.send({ probe: what }, (error) => error && gone());
  });
}

export interface Watch {
  readonly peakBytes: number;
  /** The slowest `/healthz`, an upper bound for the longest block. */
  readonly longestPingMs: number;
  stop(): void;
}

/** Samples memory and sends pings on a connection of its own until stopped. */
export function watchServer(server: ChildProcess | null, target: Target): Watch {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { host, port, localAddress } = target;
  let peakBytes = 0;
  let longestPingMs = 0;
  let isStopped = false;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(server?.pid));
  }, SAMPLE_MS);
  const ping = () => {
    if (isStopped) return;
    const startedAt = performance.now();
    const again = () => {
      longestPingMs = Math.max(longestPingMs, performance.now() - startedAt);
      setTimeout(ping, PING_MS);
    };
    const sent = request({ agent, host, port, localAddress, path: "/healthz" }, (answer) =>
      answer.resume().once("end", again),
    );
    sent.once("error", again);
    sent.end();
  };
  ping();
  return {
    get peakBytes() {
      return peakBytes;
    },
    get longestPingMs() {
      return longestPingMs;
    },
    stop: () => {
      isStopped = true;
      clearInterval(sampler);
      agent.destroy();
    },
  };
}
