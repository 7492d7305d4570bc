/**
 * `npm run bench:processes -- [plain|stream] [callers] [share]`: what a second process adds where a core
 * is idle for it. Each process of the product may use only a share of a core (default: 0.3), two
 * together twice as much, the primary included. So PostgreSQL, the upstream and the load have what is
 * left, as on a machine with more cores: the figure holds while all parts use less than the machine has.
 * One and two are measured in turns, so that a machine whose speed changes does not decide.
 * Linux, as root. `BENCH_ACCOUNTS` accounts call, each with a key.
 */
import { availableParallelism } from "node:os";
import { requestsOf } from "./chat-request";
import { medianOf, runLoad } from "./load";
import { ProcessorShare } from "./processor-share";
import { openStage, type Stage } from "./stage";
import { timedLoad } from "./timed-load";

const [, , kind = "plain", callers = "64", share = "0.3"] = process.argv;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const COUNTS = [1, 2] as const;
/**
 * Before the bound, the code is compiled, which under it would take minutes. It is, when a request costs
 * no longer a twentieth less than before; two processes need twice as many requests. The sides take
 * turns here too: Node.js forgets the compiled code of a process that idles for minutes.
 */
const WARM_UP = { seconds: 10, atLeast: 4, atMost: 15, gain: 0.05 };

/** The product with one or two processes. */
class Side {
  constructor(
    readonly processes: number,
    private readonly stage: Stage,
    private readonly bound: ProcessorShare,
  ) {}

  hold(): void {
    this.bound.hold(this.stage.product.pids(), this.processes * Number(share));
  }

  load(seconds: number) {
    const { port, apiKeys, pids } = this.stage.product;
    const requests = requestsOf(port, apiKeys, kind === "stream" ? "stream" : "plain");
    return timedLoad(() => runLoad({ port, callers: Number(callers), requests, seconds }), {
      product: pids(),
      postgres: this.stage.postgresPids(),
      upstream: this.stage.upstreamPids(),
      load: [process.pid],
    });
  }

  /** Requests a second. */
  async measure(): Promise<number> {
    const { requests, failures, spent, each, p50Ms, wallSeconds } = await this.load(SECONDS);
    const used = Object.values(spent).reduce((sum, seconds) => sum + seconds, 0) / wallSeconds;
    console.log(
      `${this.processes} process(es): ${(requests / SECONDS).toFixed(0)} req/s, median ${p50Ms.toFixed(0)} ms; ${each.product.toFixed(0)} µs of the product a request, ${each.postgres.toFixed(0)} µs of PostgreSQL; all parts used ${used.toFixed(2)} of ${availableParallelism()} cores${failures > 0 ? `; ${failures} failed` : ""}`,
    );
    return requests / SECONDS;
  }

  stop(): Promise<void> {
    return this.stage.stop();
  }
}

/** Each load has new connections: a worker that starts later gets its part of the next ones. */
async function warmUp(sides: readonly Side[]): Promise<void> {
  const least = new Map<Side, number>();
  for (let time = 1; time <= WARM_UP.atMost; time++) {
    let isSteady = time >= WARM_UP.atLeast;
    for (const side of sides) {
      const cost = (await side.load(WARM_UP.seconds)).each.product;
      const before = least.get(side) ?? Number.POSITIVE_INFINITY;
      if (cost < before * (1 - WARM_UP.gain)) isSteady = false;
      least.set(side, Math.min(before, cost));
    }
    if (isSteady) return;
  }
}

// Before anything is started, so that nothing is left behind where there are no such groups.
const bounds = COUNTS.map((count) => [count, new ProcessorShare(String(count))] as const);
const sides: Side[] = [];
const ratios: number[] = [];
try {
  for (const [count, bound] of bounds)
    sides.push(new Side(count, await openStage({ processes: String(count) }), bound));
  await warmUp(sides);
  for (const side of sides) side.hold();
  for (const side of sides) await side.load(2);
  for (let round = 0; round < ROUNDS; round++) {
    const rates: number[] = [];
    for (const side of sides) rates.push(await side.measure());
    ratios.push((rates[1] ?? Number.NaN) / (rates[0] ?? Number.NaN));
  }
} finally {
  for (const side of sides) await side.stop();
  for (const [, bound] of bounds) bound.remove();
}
console.log(
  `two of ${share} cores each, over one: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} times as many requests; median ${medianOf(ratios).toFixed(2)}`,
);
