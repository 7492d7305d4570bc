/**
 * `npm run bench:processes -- [plain|stream] [callers] [share]`: what a second process adds where a core
 * is idle for it. Each process of the product may use only a share of a core (default: 0.3), two
 * together twice as much, the primary included. So PostgreSQL, the upstream and the load have what is
 * left, as on a machine with more cores: the figure holds while all parts use less than the machine has.
 * Linux, as root. `BENCH_ACCOUNTS` accounts call, each with a key.
 */
import { availableParallelism } from "node:os";
import { requestsOf } from "./chat-request";
import { runLoad } from "./load";
import { ProcessorShare } from "./processor-share";
import { openStage } from "./stage";
import { timedLoad } from "./timed-load";

const [, , kind = "plain", callers = "64", share = "0.3"] = process.argv;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
/** Before the bound: until the code is compiled, which under it would take minutes. */
const WARM_UP_SECONDS = 15;
const COUNTS = [1, 2] as const;

// Before anything is started, so that nothing is left behind where there is no such group.
const bound = new ProcessorShare();

/** Requests a second. */
async function measure(processes: number): Promise<number> {
  const stage = await openStage({ processes: String(processes) });
  const { port, apiKeys, pids } = stage.product;
  try {
    const load = {
      port,
      callers: Number(callers),
      requests: requestsOf(port, apiKeys, kind === "stream" ? "stream" : "plain"),
    };
    await runLoad({ ...load, seconds: WARM_UP_SECONDS });
    bound.hold(pids(), processes * Number(share));
    await runLoad({ ...load, seconds: 2 });
    const { requests, failures, spent, each, wallSeconds } = await timedLoad(
      () => runLoad({ ...load, seconds: SECONDS }),
      {
        product: pids(),
        postgres: stage.postgresPids(),
        upstream: stage.upstreamPids(),
        load: [process.pid],
      },
    );
    const used = Object.values(spent).reduce((sum, seconds) => sum + seconds, 0) / wallSeconds;
    console.log(
      `${processes} process(es): ${(requests / SECONDS).toFixed(0)} req/s; ${each.product.toFixed(0)} µs of the product a request, ${each.postgres.toFixed(0)} µs of PostgreSQL; all parts used ${used.toFixed(2)} of ${availableParallelism()} cores${failures > 0 ? `; ${failures} failed` : ""}`,
    );
    return requests / SECONDS;
  } finally {
    await stage.stop();
  }
}

const rates = new Map<number, number[]>();
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const count of COUNTS)
      rates.set(count, [...(rates.get(count) ?? []), await measure(count)]);
} finally {
  bound.remove();
}
const ratios = (rates.get(2) ?? []).map((rate, round) => rate / (rates.get(1)?.[round] ?? rate));
console.log(
  `two of ${share} cores each, over one: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} times as many requests`,
);
