/**
 * `npm run demo`: an instance with three months of business, in a folder of its own. Written once,
 * served from then on.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "@/testing/stage/listen";
import { fillDemo } from "./fill";
import { assertFree, type DemoFacts, readDemoFacts, removeDemo, writeDemoFacts } from "./folder";
import { serveDemo } from "./serve";

const usage = `npm run demo -- [options]
  --folder DIR   the demo's folder, .demo by default
  --fresh        write the demo anew
  --seed TEXT    other business; the same text makes the same
  --scale N      how much of it: 1 for about 30,000 requests, 0.5 by default
  --port N       where it is served, 3000 by default
  --fill-only    do not serve it`;

const SCALE_MAX = 10;
const STALE_HOURS = 20;
const say = (line: string) => process.stderr.write(`${line}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      folder: { type: "string", default: ".demo" },
      seed: { type: "string", default: "relay" },
      scale: { type: "string", default: "0.5" },
      port: { type: "string", default: "3000" },
      fresh: { type: "boolean", default: false },
      "fill-only": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= SCALE_MAX))
    throw new Error(`--scale ${values.scale} is not a number above 0, at most ${SCALE_MAX}`);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port} is not a port`);
  return { ...values, folder: resolve(values.folder), scale, port };
}

type Options = ReturnType<typeof readOptions>;

/** A line that replaces itself; where the output is no terminal, a line for each tenth. */
function progress(): (said: { day: string; share: number }) => void {
  let tenth = -1;
  return ({ day, share }) => {
    const percent = Math.round(share * 100);
    if (process.stderr.isTTY) process.stderr.write(`\r  ${day}  ${percent} %  `);
    else if (Math.floor(percent / 10) > tenth) {
      tenth = Math.floor(percent / 10);
      say(`  ${day}  ${percent} %`);
    }
  };
}

async function fill({ folder, seed, scale }: Options, projectFolder: string): Promise<DemoFacts> {
  const startedAt = performance.now();
  const end = Date.now();
  const facts: DemoFacts = {
    seed,
    scale,
    end: new Date(end).toISOString(),
    upstreamPort: await freePort(),
    paymentsPort: await freePort(),
    isComplete: false,
  };
  writeDemoFacts(folder, facts);
  say(`Writing three months of business to ${folder}:`);
  const upstreamOrigin = `http://127.0.0.1:${facts.upstreamPort}`;
  const requests = await fillDemo({
    ...{ seed, scale, end, folder, projectFolder, upstreamOrigin },
    onProgress: progress(),
  });
  const complete = { ...facts, isComplete: true };
  writeDemoFacts(folder, complete);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`\n${requests} requests in ${seconds} s. The audit is clean.`);
  return complete;
}

async function run(): Promise<number> {
  const options = readOptions();
  if (options.help) {
    say(usage);
    return 0;
  }
  const projectFolder = process.cwd();
  const { folder } = options;
  const found = readDemoFacts(folder);
  const isKept = found?.isComplete === true && !options.fresh;
  await (isKept ? assertFree(folder) : removeDemo(folder));
  const facts = isKept ? found : await fill(options, projectFolder);
  const hours = (Date.now() - Date.parse(facts.end)) / 3_600_000;
  if (hours > STALE_HOURS)
    say(
      `It ends ${Math.round(hours)} hours ago, and results are kept for a day: --fresh renews it.`,
    );
  if (options["fill-only"]) return 0;
  return serveDemo(folder, facts, options.port, projectFolder);
}

try {
  process.exitCode = await run();
} catch (error) {
  say(`demo: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
process.exit();
