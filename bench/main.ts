/**
 * Compares the product with a bare proxy in one run: the same generator, the same instant upstream,
 * one core each. Processor time per request is the reliable figure when everything shares a
 * machine.
 */

import { requestsOf } from "./chat-request";
import { type LoadResult, runLoad } from "./load";
import { avoidFirstCore, openStage, type Stage } from "./stage";
import { runTimedLoad } from "./timed-load";

const WARM_UP_SECONDS = 2;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/**
 * `npm run bench -- [plain|stream] [callers]` measures only that case. `BENCH_DATABASE` is the folder of
 * a history by `npm run bench:history`, to measure with its rows; an account is added to it.
 */
const [KIND, ONLY_CALLERS] = process.argv.slice(2);
const CALLERS = ONLY_CALLERS ? [Number(ONLY_CALLERS)] : [1, 32, 128];
const KINDS = [false, true].filter(
  (isStream) => KIND === undefined || KIND === (isStream ? "stream" : "plain"),
);

interface Measured extends LoadResult {
  readonly target: "proxy" | "product";
  readonly isStream: boolean;
  readonly callers: number;
  /** Processor time per request, in microseconds. */
  readonly processorMicroseconds: number;
  readonly postgresMicroseconds: number;
  /** The longest time that the product's event loop was blocked; null for the proxy. */
  readonly longestBlockMs: number | null;
  /** The share of one core that the target used. */
  readonly targetLoad: number;
  readonly bottleneck: string | null;
}

/** The longest block since the last call. */
async function longestBlock(port: number): Promise<number> {
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(figures)?.[1]) * 1000;
}

async function measure(
  stage: Stage,
  target: "proxy" | "product",
  isStream: boolean,
  callers: number,
): Promise<Measured> {
  const { port, pids } = stage[target];
  const requests = requestsOf(port, stage.product.apiKeys, isStream);
  await runLoad({ port, callers, seconds: WARM_UP_SECONDS, requests });
  if (target === "product") await longestBlock(port);
  const result = await runTimedLoad(
    { port, callers, seconds: SECONDS, requests },
    {
      own: pids(),
      postgres: stage.postgresPids(),
      upstream: stage.upstreamPids(),
      generator: [process.pid],
    },
  );
  const { spent, each, wallSeconds } = result;
  const longestBlockMs = target === "product" ? await longestBlock(port) : null;
  const targetLoad = spent.own / wallSeconds;
  const beside = (spent.postgres + spent.upstream + spent.generator) / wallSeconds;
  const [name] = [
    ["the generator", spent.generator] as const,
    ["the upstream", spent.upstream] as const,
    ["PostgreSQL", spent.postgres] as const,
  ].sort((a, b) => b[1] - a[1])[0] ?? ["the generator"];
  return {
    ...result,
    target,
    isStream,
    callers,
    processorMicroseconds: each.own,
    postgresMicroseconds: each.postgres,
    longestBlockMs,
    targetLoad,
    bottleneck: callers > 1 && targetLoad < 0.9 && beside > 0.9 ? name : null,
  };
}

function row(measured: Measured, proxy: Measured | null): string {
  const cells = [
    measured.isStream ? "stream" : "plain",
    String(measured.callers),
    measured.target,
    (measured.requests / measured.seconds).toFixed(0),
    measured.p50Ms.toFixed(2),
    measured.p99Ms.toFixed(2),
    measured.processorMicroseconds.toFixed(1),
    measured.target === "product" ? measured.postgresMicroseconds.toFixed(1) : "",
    proxy ? (measured.processorMicroseconds / proxy.processorMicroseconds).toFixed(2) : "",
    proxy ? `+${(measured.p50Ms - proxy.p50Ms).toFixed(2)}` : "",
    measured.longestBlockMs?.toFixed(1) ?? "",
    [
      measured.failures > 0 ? `${measured.failures} failed` : "",
      measured.bottleneck ? `bottleneck: ${measured.bottleneck}` : "",
    ]
      .filter(Boolean)
      .join(", "),
  ];
  const widths = [7, 8, 8, 9, 9, 9, 11, 11, 7, 9, 10, 0];
  return cells
    .map((cell, index) =>
      index < 3 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    )
    .join(" ");
}

async function run(): Promise<void> {
  avoidFirstCore();
  const stage = await openStage();
  try {
    console.log(
      "kind    callers  target       req/s    p50 ms    p99 ms   cpu µs/req    pg µs/req  ratio  p50 added  block ms",
    );
    for (const isStream of KINDS) {
      for (const callers of CALLERS) {
        const proxy = await measure(stage, "proxy", isStream, callers);
        console.log(row(proxy, null));
        console.log(row(await measure(stage, "product", isStream, callers), proxy));
      }
    }
    console.log(
      "\nratio: the product's processor time per request over the bare proxy's. Each request is held and settled durably.",
    );
    console.log("block: the longest time that the product's event loop was blocked.");
    console.log(
      "A bottleneck other than the target means that req/s and the times are bounded by it; processor time still holds.",
    );
  } finally {
    await stage.stop();
  }
}

await run();
