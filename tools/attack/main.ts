/**
 * `npm run attack [-- names…]`: attacks the product as a stranger with a free account could, while
 * another account uses it, and reports the effect on that account, the event loop and the memory.
 * Exit code 1 when a limit is violated.
 *   --url URL --key sk-… [--victim-key sk-…] [--session COOKIE]   attack an instance that is already
 *               running instead of starting one
 *   --processes N  start the product with so many processes; blocks and memory are not judged then
 *   --repeat N  run each attack N times: a cache stops growing, a leak does not
 *   --profile   show what the server executed in the longest block of each attack
 *   --brief     small numbers and wider limits, for a test run
 *   --json      print the result as JSON
 *   --list      list the attacks
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pause } from "@/lib/timing/pause";
import { residentBytes } from "../../testing/stage/processes";
import { type Attack, joinOutcomes, type Outcome } from "./attack";
import { ATTACKER_WORD, runAttacker, serveAsAttacker } from "./attacker";
import { attacks } from "./attacks";
import { foreignInstallation, type Installation, startInstallation } from "./installation";
import { type Evaluation, evaluate, type Marks, type Memory, memoryMisses } from "./marks";
import { IDLE_ROW, profileReport, report } from "./report";
import { startVictim } from "./victim";
import { askEverythingOnce } from "./warm-up";
import { askProbe, type HeapFigures, watchMachine, watchServer } from "./watch";

const program = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("../..", import.meta.url));

const FULL: Marks = {
  blockMsMax: 50,
  victimP99MsMax: 250,
  heldGrowthMax: 0.1,
  memoryGrowthMax: 0.3,
};
/** For a machine that does other work as well. */
const BRIEF: Marks = {
  blockMsMax: 400,
  victimP99MsMax: 10_000,
  heldGrowthMax: 0.5,
  memoryGrowthMax: 0.5,
};
const ATTACK_MS = { full: 600_000, brief: 180_000 };
const SETTLE_MS = { full: 20_000, brief: 3_000 };
const IDLE_MS = { full: 8_000, brief: 2_000 };
/** A shorter attack is repeated for this long: a p99 needs some hundred requests of the victim. */
const MEASURED_MS = { full: 15_000, brief: 0 };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    url: { type: "string" },
    key: { type: "string" },
    "victim-key": { type: "string" },
    session: { type: "string" },
    brief: { type: "boolean", default: false },
    processes: { type: "string", default: "1" },
    repeat: { type: "string", default: "1" },
    profile: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    [ATTACKER_WORD.slice(2)]: { type: "boolean", default: false },
  },
});
const size = values.brief ? "brief" : "full";
const processes = Number(values.processes);
const usualMarks = values.brief ? BRIEF : FULL;
/** The memory of several processes cannot be collected from here. */
const marks =
  processes === 1
    ? usualMarks
    : {
        ...usualMarks,
        heldGrowthMax: Number.POSITIVE_INFINITY,
        memoryGrowthMax: Number.POSITIVE_INFINITY,
      };

type Base = Pick<Memory, "beforeBytes" | "heapBefore">;

/**
 * Waits until memory has returned to its earlier level, or for a maximum time; returns what is used
 * then.
 */
async function settledMemory(
  { server }: Installation,
  before: Base,
): Promise<{ afterBytes: number; heap: HeapFigures | null }> {
  for (const startedAt = Date.now(); ; await pause(500)) {
    const heap = await askProbe(server, "collect");
    const afterBytes = residentBytes(server?.pid);
    const isBack = memoryMisses({ ...before, afterBytes, heap }, marks).length === 0;
    if (isBack || Date.now() - startedAt > SETTLE_MS[size]) return { afterBytes, heap };
  }
}

/** Runs an attack again until it has taken `ms` in all; the outcome of all runs. */
async function repeatedly(attack: () => Promise<Outcome>, ms: number): Promise<Outcome> {
  const startedAt = performance.now();
  let sum = await attack();
  while (performance.now() - startedAt < ms && sum.faultCount === 0)
    sum = joinOutcomes(sum, await attack());
  return sum;
}

interface Measuring {
  /** True when only the victim sends requests. */
  readonly isIdle?: boolean;
  /**
   * The memory to compare with, which is what the server used before the first attack: not that
   * before each one, or a little more after each would go unnoticed. Absent for the current use.
   */
  readonly base?: Base;
}

/** Runs an attack while the victim continues, and measures its effect on the server. */
async function measure(
  installation: Installation,
  victim: ReturnType<typeof startVictim>,
  name: string,
  { isIdle = false, base }: Measuring = {},
): Promise<Evaluation> {
  const { server, means } = installation;
  const attack = () =>
    runAttacker(program, name, { ...means, isBrief: values.brief, processes }, ATTACK_MS[size]);
  const heapBefore = await askProbe(server, "collect");
  const before = base ?? { beforeBytes: residentBytes(server?.pid), heapBefore };
  await victim.collect();
  await askProbe(server, "read");
  const watch = watchServer(server, installation.victim.target);
  const machine = watchMachine();
  let diedAt: number | null = null;
  const noteDeath = () => {
    diedAt = Date.now();
  };
  server?.once("exit", noteDeath);
  const startedAt = performance.now();
  const outcome = isIdle
    ? await pause(IDLE_MS[size]).then(() => ({
        sent: 0,
        answers: {},
        faults: [],
        faultCount: 0,
        steps: [],
      }))
    : await repeatedly(attack, MEASURED_MS[size]);
  const seconds = (performance.now() - startedAt) / 1000;
  const seen = await victim.collect();
  const probe = await askProbe(server, "read");
  watch.stop();
  server?.off("exit", noteDeath);
  return evaluate(
    {
      name,
      outcome,
      seconds,
      diedAt,
      longestBlockMs: probe?.longestMs ?? null,
      longestOwnBlockMs: probe?.longestOwnMs ?? null,
      longestPauseMs: probe?.longestPauseMs ?? null,
      longestPingMs: watch.longestPingMs,
      blocks: probe?.blocks ?? [],
      profile: probe?.profile ?? null,
      victim: seen,
      memory: {
        ...before,
        peakBytes: watch.peakBytes,
        ...(await settledMemory(installation, before)),
      },
      machine: machine(),
    },
    marks,
  );
}

async function open(): Promise<Installation> {
  const { url, key, session, "victim-key": victimKey } = values;
  if (url === undefined)
    return startInstallation(root, size, { isProfiled: values.profile, processes });
  if (key === undefined)
    throw new Error("--url needs --key: the API key of an account to attack from");
  return foreignInstallation(url, { key, victimKey, session });
}

/** Runs the named attacks one after the other on one instance. If it dies, a new one is started. */
async function runAll(chosen: readonly Attack[]): Promise<Evaluation[]> {
  const results: Evaluation[] = [];
  let installation = await open();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void installation.stop().finally(() => process.exit(130)));
  let victim = startVictim(installation.victim);
  let base: Base = { beforeBytes: 0, heapBefore: null };
  const say = (judged: Evaluation): Evaluation => {
    results.push(judged);
    // Printed as they come: a long run may be stopped before the table.
    const lines = judged.misses.map((miss) => `    ${miss}\n`).join("");
    process.stderr.write(
      `${judged.misses.length === 0 ? "✓" : "✗"} ${judged.name} (${judged.seconds.toFixed(0)} s)\n${lines}`,
    );
    if (judged.profile !== null) process.stderr.write(profileReport(judged));
    return judged;
  };
  // The first requests of each kind compile code and open connections. Memory and times are
  // compared with what follows.
  const warmUp = async () => {
    await askEverythingOnce(installation);
    // A first, small run pays for what the server keeps afterwards: compiled code, caches, memory
    // pools. Memory must not grow beyond that.
    for (const { name } of values.brief ? [] : chosen)
      await runAttacker(
        program,
        name,
        { ...installation.means, isBrief: true, processes },
        ATTACK_MS.brief,
      );
    await pause(IDLE_MS[size]);
    const { memory } = say(await measure(installation, victim, IDLE_ROW, { isIdle: true }));
    base = { beforeBytes: memory.afterBytes, heapBefore: memory.heap };
  };
  try {
    await warmUp();
    for (const attack of chosen.flatMap((each) =>
      new Array<Attack>(Number(values.repeat)).fill(each),
    )) {
      const judged = say(await measure(installation, victim, attack.name, { base }));
      if (judged.diedAt === null || values.url !== undefined) continue;
      process.stderr.write(`${installation.log().slice(-1500)}\n`);
      victim.stop();
      await installation.stop();
      installation = await open();
      victim = startVictim(installation.victim);
      await warmUp();
    }
    say(await measure(installation, victim, "nothing any more", { isIdle: true, base }));
    const misses = await installation.audit();
    if (misses.length > 0)
      results.push({ ...(results[0] as Evaluation), name: "ledger audit", misses });
  } finally {
    victim.stop();
    await installation.stop();
  }
  return results;
}

async function main(): Promise<number> {
  if (values.list) {
    for (const { name, what } of attacks) console.log(`${name.padEnd(22)} ${what}`);
    return 0;
  }
  const unknown = positionals.filter(
    (name) => !attacks.some((attack) => attack.name.startsWith(name)),
  );
  if (unknown.length > 0)
    throw new Error(`there is no attack ${unknown.join(", ")}; --list names them`);
  const chosen = attacks.filter(
    ({ name }) => positionals.length === 0 || positionals.some((wanted) => name.startsWith(wanted)),
  );
  const results = await runAll(chosen);
  console.log(values.json ? JSON.stringify(results) : `\n${report(results)}`);
  return results.some(({ misses }) => misses.length > 0) ? 1 : 0;
}

if (process.argv[2] === ATTACKER_WORD) serveAsAttacker(attacks);
else process.exit(await main());
