/**
 * Compares the product of this checkout with that of another checkout in one run. Each of many
 * rounds loads both for a moment, one after the other, so that other work on the machine affects
 * both. Both are started anew several times, in turn as the first and as the second: two processes
 * of one build differ by some percent for as long as they run, by where their memory came to lie.
 * `npm run bench:against -- <folder> [plain|stream] [callers]`.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { requestBytes } from "./chat-request";
import { runLoad } from "./load";
import { avoidFirstCore, openStage, type Stage } from "./stage";
import { timedLoad } from "./timed-load";

const WARM_UP_SECONDS = 5;
/** Short, because the speed of a shared machine changes within seconds. */
const SLICE_SECONDS = 0.3;
const STARTS = Number(process.env.BENCH_STARTS ?? 4);
/** In one start of both. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 50);
const [OTHER = "", KIND = "plain", CALLERS = "32"] = process.argv.slice(2);

/** Processor time per request, in microseconds. */
interface Slice {
  readonly product: number;
  readonly postgres: number;
}

async function load(stage: Stage, seconds: number): Promise<Slice> {
  const { port, apiKey, pids } = stage.product;
  const request = requestBytes({
    authority: `127.0.0.1:${port}`,
    apiKey,
    kind: KIND === "stream" ? "stream" : "plain",
  });
  const { each, failures } = await timedLoad(
    () => runLoad({ port, callers: Number(CALLERS), seconds, requests: [request] }),
    { product: pids(), postgres: stage.postgresPids() },
  );
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return each;
}

/** The slices of both, by round, of one start. */
interface Start {
  readonly own: readonly Slice[];
  readonly other: readonly Slice[];
}

const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? 0)) / 2;
};

/**
 * This checkout's figure divided by the other's: the median of the rounds of each start, then the
 * geometric mean of the starts with its standard error.
 */
function print(name: keyof Slice, starts: readonly Start[]): void {
  const ratios = starts.map(({ own, other }) =>
    median(own.map((slice, round) => slice[name] / (other[round]?.[name] ?? Number.NaN))),
  );
  const logarithms = ratios.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / ratios.length;
  const squares = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / (ratios.length - 1) / ratios.length);
  const [here, there] = (["own", "other"] as const).map((side) =>
    median(starts.flatMap((start) => start[side].map((slice) => slice[name]))).toFixed(1),
  );
  const each = ratios.map((ratio) => ratio.toFixed(3)).join(" ");
  console.log(
    `${name.padEnd(9)} ${here?.padStart(8)} ${there?.padStart(8)}   ${Math.exp(mean).toFixed(3)} ± ${error.toFixed(3)}   (${each})`,
  );
}

/** Starts both products, measures all rounds, and stops them. */
async function measureStart(folder: string, isOwnFirst: boolean): Promise<Start> {
  const stages: Stage[] = [];
  try {
    stages.push(await openStage(isOwnFirst ? {} : { checkout: folder }));
    stages.push(await openStage(isOwnFirst ? { checkout: folder } : {}));
    const [first, second] = stages as [Stage, Stage];
    for (const stage of stages) await load(stage, WARM_UP_SECONDS);
    const slices = new Map<Stage, Slice[]>([
      [first, []],
      [second, []],
    ]);
    for (let round = 0; round < ROUNDS; round++)
      for (const stage of round % 2 === 0 ? [first, second] : [second, first])
        slices.get(stage)?.push(await load(stage, SLICE_SECONDS));
    const [firstSlices = [], secondSlices = []] = [...slices.values()];
    return isOwnFirst
      ? { own: firstSlices, other: secondSlices }
      : { own: secondSlices, other: firstSlices };
  } finally {
    for (const stage of stages) await stage.stop();
  }
}

async function run(): Promise<void> {
  const folder = resolve(OTHER);
  if (OTHER === "" || !existsSync(join(folder, "server/start.mjs")))
    throw new Error(
      "name the folder of another checkout that is installed and built: npm run bench:against -- ../other",
    );
  avoidFirstCore();
  const starts: Start[] = [];
  for (let start = 0; start < STARTS; start++)
    starts.push(await measureStart(folder, start % 2 === 0));
  console.log(
    `${KIND}, ${CALLERS} callers, processor time per request in µs (medians of ${STARTS} starts of ${ROUNDS} rounds)\n              here    there   here/there ± standard error   (each start)`,
  );
  print("product", starts);
  print("postgres", starts);
}

await run();
