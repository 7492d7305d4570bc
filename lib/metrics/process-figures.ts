/** Metrics of the process: processor, memory, event loop, open files. */
import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Registry } from "./registry";

const LOOP_RESOLUTION_MS = 20;

export interface ProcessFigures {
  /** Refreshes the metrics that need asynchronous reads. */
  refresh(): Promise<void>;
  close(): void;
}

export function addProcessFigures(registry: Registry): ProcessFigures {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  let openFiles: number | null = null;
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  const one = (value: number) => [{ value }];
  registry.gauge("nodejs_version_info", "Always 1; the version of Node.js.", () => [
    { labels: { version: process.versions.node }, value: 1 },
  ]);
  registry.total("process_cpu_seconds_total", "Processor time used.", () => {
    const { user, system } = process.cpuUsage();
    return one((user + system) / 1e6);
  });
  registry.gauge(
    "process_resident_memory_bytes",
    "Memory in use.",
    () => one(process.memoryUsage.rss()),
    "sum",
  );
  registry.gauge(
    "process_start_time_seconds",
    "Start time of the process, in Unix time; of several, the first one's.",
    () => one(startedAt),
    "min",
  );
  registry.gauge(
    "process_open_fds",
    "Open files and sockets.",
    () => (openFiles === null ? [] : one(openFiles)),
    "sum",
  );
  registry.gauge(
    "nodejs_heap_size_used_bytes",
    "JavaScript's heap in use.",
    () => one(process.memoryUsage().heapUsed),
    "sum",
  );
  registry.quantiles(
    "nodejs_eventloop_lag_seconds",
    "Lateness of the event loop since the last reading.",
    () => {
      const over = (nanoseconds: number) =>
        Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1000) || 0;
      const readings = [0.5, 0.99].map((share) => ({
        labels: { quantile: String(share) },
        value: over(loop.percentile(share * 100)),
      }));
      readings.push({ labels: { quantile: "1" }, value: over(loop.max) });
      loop.reset();
      return readings;
    },
  );
  return {
    async refresh() {
      openFiles = await readdir("/proc/self/fd").then(
        (files) => files.length,
        () => null,
      );
    },
    close: () => loop.disable(),
  };
}
