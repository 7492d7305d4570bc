/**
 * Compares the product of this checkout with that of another checkout in one run. Each of many
 * rounds loads both for a moment, one after the other, so that other work on the machine affects
 * both.
 * `npm run bench:against -- <folder> [plain|stream] [callers]`.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { processesSeconds } from "../e2e/soak/processor-time";
import { requestBytes } from "./chat-request";
import { runLoad } from "./load";
import { leaveFirstCore, openStage, type Stage } from "./stage";

const WARM_UP_SECONDS = 5;
const SLICE_SECONDS = 1;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const [OTHER = "", KIND = "plain", CALLERS = "32"] = process.argv.slice(2);

/** Processor time per request, in microseconds. */
interface Slice {
  readonly product: number;
  readonly postgres: number;
}

async function load(stage: Stage, seconds: number): Promise<Slice> {
  const { port, apiKey, pids } = stage.product;
  const groups = [pids(), stage.postgresPids()];
  const before = groups.map(processesSeconds);
  const request = requestBytes(port, apiKey, KIND === "stream");
  const { requests, failures } = await runLoad({
    port,
    callers: Number(CALLERS),
    seconds,
    request,
  });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const [product = 0, postgres = 0] = groups.map(
    (group, index) => ((processesSeconds(group) - (before[index] ?? 0)) / requests) * 1e6,
  );
  return { product, postgres };
}

function quartiles(values: readonly number[]): readonly [number, number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return [at(0.25), at(0.5), at(0.75)];
}

/**
 * This checkout's figure divided by the other's, per round: the median, and its confidence
 * interval.
 */
function tell(name: keyof Slice, own: readonly Slice[], other: readonly Slice[]): void {
  const ratios = own.map((slice, round) => slice[name] / (other[round]?.[name] ?? Number.NaN));
  const [low, middle, high] = quartiles(ratios);
  // For a median, 1.57 times the interquartile range over the root of the count is a 95 % interval.
  const doubt = (1.57 * (high - low)) / Math.sqrt(ratios.length);
  const medians = [own, other].map((slices) =>
    quartiles(slices.map((slice) => slice[name]))[1].toFixed(1),
  );
  console.log(
    `${name.padEnd(9)} ${medians[0]?.padStart(8)} ${medians[1]?.padStart(8)}   ${middle.toFixed(3)} ± ${doubt.toFixed(3)} of ${ratios.length} rounds`,
  );
}

async function run(): Promise<void> {
  const folder = resolve(OTHER);
  if (OTHER === "" || !existsSync(join(folder, "server/start.mjs")))
    throw new Error(
      "name the folder of another checkout that is installed and built: npm run bench:against -- ../other",
    );
  leaveFirstCore();
  const stages: Stage[] = [];
  try {
    stages.push(await openStage());
    stages.push(await openStage(folder));
    const [own, other] = stages as [Stage, Stage];
    for (const stage of stages) await load(stage, WARM_UP_SECONDS);
    const seen = { own: [] as Slice[], other: [] as Slice[] };
    for (let round = 0; round < ROUNDS; round++) {
      const isOwnFirst = round % 2 === 0;
      if (isOwnFirst) seen.own.push(await load(own, SLICE_SECONDS));
      seen.other.push(await load(other, SLICE_SECONDS));
      if (!isOwnFirst) seen.own.push(await load(own, SLICE_SECONDS));
    }
    console.log(
      `${KIND}, ${CALLERS} callers, processor time per request in µs (medians)\n              here    there   here/there`,
    );
    tell("product", seen.own, seen.other);
    tell("postgres", seen.own, seen.other);
  } finally {
    for (const stage of stages) await stage.stop();
  }
}

await run();
