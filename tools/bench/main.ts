/**
 * Compares the product with a bare proxy in one run: the same generator, the same instant upstream,
 * one core each. Processor time per request is the reliable figure when everything shares a
 * machine. `npm run bench -- [plain|stream|paced] [callers]` measures only that case. With `--against`
 * another gateway is loaded too; it must send its requests to the upstream of this run, whose port
 * `--upstream-port` sets. `BENCH_DATABASE` is the folder of a history by `npm run bench:history`, to
 * measure with its rows; accounts are added to it.
 */
import { dirname } from "node:path";
import { measureCommit, measureDisk } from "./durable-write";
import { runLoad } from "./load";
import { type BenchOptions, callersOf, type Kind, readOptions } from "./options";
import { runPacedLoad } from "./paced-load";
import { avoidFirstCore, openStage, type Stage } from "./stage";
import { headLine, type Measured, row } from "./table";
import { openPeer, ownTargets, type Target } from "./targets";
import { timedLoad } from "./timed-load";

/** Before each case, when caches and connections have to fit its callers. */
const WARM_UP_SECONDS = 2;
/** Before all cases of a kind: after so many requests, the code of a target is compiled. */
const COMPILE_REQUESTS = 20_000;
const COMPILE_CALLERS = 32;
const COMPILE_SECONDS_MAX = 15;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** A paced stream takes two seconds. */
const PACED_SECONDS = Number(process.env.BENCH_SECONDS ?? 10);

/** The longest block of the product's event loop since the last call. */
async function longestBlock(port: number): Promise<number> {
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(figures)?.[1]) * 1000;
}

async function measure(
  stage: Stage,
  { name, address, requests, pids }: Target,
  kind: Kind,
  callers: number,
): Promise<Measured> {
  const run = kind === "paced" ? runPacedLoad : runLoad;
  const load = { ...address, callers, requests: requests(kind) };
  await run({ ...load, seconds: WARM_UP_SECONDS });
  const isProduct = name === "product";
  if (isProduct) await longestBlock(address.port);
  const seconds = kind === "paced" ? PACED_SECONDS : SECONDS;
  const result = await timedLoad(() => run({ ...load, seconds }), {
    own: pids(),
    PostgreSQL: stage.postgresPids(),
    "the upstream": stage.upstreamPids(),
    "the generator": [process.pid],
  });
  const longestBlockMs = isProduct ? await longestBlock(address.port) : null;
  const isKnown = pids().length > 0;
  const { own, ...beside } = result.spent;
  const [dearest] = Object.entries(beside).sort(([, a], [, b]) => b - a);
  const share = Object.values(beside).reduce((sum, spent) => sum + spent, 0) / result.wallSeconds;
  const isBounded = isKnown && callers > 1 && own / result.wallSeconds < 0.9 && share > 0.9;
  return {
    ...result,
    target: name,
    kind,
    callers,
    processorMicroseconds: isKnown ? result.each.own : null,
    postgresMicroseconds: isProduct ? result.each.PostgreSQL : null,
    longestBlockMs,
    bottleneck: isBounded ? (dearest?.[0] ?? null) : null,
  };
}

/** A target that gets few requests a second would be measured before Node has compiled its code. */
async function compile({ address, requests }: Target, kind: Kind): Promise<void> {
  const load = { ...address, callers: COMPILE_CALLERS, requests: requests(kind), seconds: 1 };
  for (let sent = 0, second = 0; sent < COMPILE_REQUESTS && second < COMPILE_SECONDS_MAX; second++)
    sent += (await runLoad(load)).requests;
}

async function measureAll(stage: Stage, targets: readonly Target[], options: BenchOptions) {
  console.log(headLine());
  for (const kind of options.kinds) {
    if (kind !== "paced") for (const target of targets) await compile(target, kind);
    for (const callers of callersOf(kind, options)) {
      let proxy: Measured | null = null;
      for (const target of targets) {
        const measured = await measure(stage, target, kind, callers);
        console.log(row(measured, proxy));
        proxy ??= measured;
      }
    }
  }
}

const notes = `
ratio: the processor time per request over the bare proxy's. The product holds and settles each request durably.
added: the time of a request over the bare proxy's. Of paced streams it is the time of one chunk from the upstream to the
caller, and a request in this table is a chunk.
block: the longest time that the product's event loop was blocked.
A bottleneck other than the target means that req/s and the times are bounded by it; processor time still holds.`;

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  avoidFirstCore();
  const stage = await openStage({ upstreamPort: options.upstreamPort });
  try {
    const peer = options.peer === null ? [] : [await openPeer(options.peer)];
    const disk = measureDisk(dirname(stage.databaseFolder));
    const commit = await measureCommit(stage.databaseUrl);
    console.log(
      `A durable write of a page takes ${disk.toFixed(2)} ms on this disk, a commit of PostgreSQL ${commit.toFixed(2)} ms (medians).\n`,
    );
    await measureAll(stage, [...ownTargets(stage), ...peer], options);
    console.log(notes);
  } finally {
    await stage.stop();
  }
}

await run();
