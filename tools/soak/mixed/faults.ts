/**
 * The faults of a run, drawn from the seed. Three tracks of them run beside each other: at the server,
 * at the cluster, and around them.
 */
import { pause } from "@/lib/timing/pause";
import type { Random } from "@/testing/extent/random";
import { signal } from "@/testing/stage/processes";
import type { Server } from "@/testing/stage/server";
import { hasRecovered, killAndStart, setClock } from "./servers";
import type { Stage } from "./stage";

interface Injected {
  readonly name: string;
  readonly kills?: number;
  readonly stops?: number;
}
type Inject = (stage: Stage, random: Random) => Promise<Injected>;

async function killServer({ killed }: Stage): Promise<Injected> {
  await killAndStart(killed);
  return { name: "server killed", kills: 1 };
}

async function killPrimary({ cluster }: Stage): Promise<Injected> {
  await killAndStart(cluster);
  return { name: "primary killed", kills: 1 };
}

function oneWorker({ cluster }: Stage, random: Random): number {
  const pids = cluster.workerPids;
  return pids[random.between(0, pids.length - 1)] ?? 0;
}

async function killWorker(stage: Stage, random: Random): Promise<Injected> {
  const pid = oneWorker(stage, random);
  if (pid === 0) return { name: "no worker to kill" };
  signal([pid], "SIGKILL");
  await pause(random.between(50, 500));
  return { name: "worker killed", kills: 1 };
}

const stopDatabase: Inject = async (stage) => {
  const [postmaster = 0] = stage.database.pids();
  if (postmaster > 0) signal([postmaster], "SIGQUIT");
  await pause(200);
  return { name: "database stopped at once", stops: postmaster > 0 ? 1 : 0 };
};

const killDatabase: Inject = async (stage) => {
  const pids = stage.database.pids();
  signal(pids, "SIGKILL");
  await pause(200);
  return { name: "database killed", stops: pids.length > 0 ? 1 : 0 };
};

/** The spool must carry what was answered while the database was away. */
const killBoth: Inject = async (stage, random) => {
  const pids = stage.database.pids();
  signal(pids, "SIGKILL");
  await pause(random.between(0, 400));
  signal(
    [stage.killed.pid, oneWorker(stage, random)].filter((pid) => pid > 0),
    "SIGKILL",
  );
  await killAndStart(stage.killed);
  return { name: "database, server and worker killed together", kills: 2, stops: 1 };
};

async function freeze(pids: readonly number[], seconds: number): Promise<void> {
  signal(pids, "SIGSTOP");
  await pause(seconds * 1000);
  signal(pids, "SIGCONT");
}

/** No process of PostgreSQL runs, as when all of them wait for their disk. */
const freezeDatabase: Inject = async (stage, random) => {
  await freeze(
    stage.database.pids(),
    random.pick([
      [2, 3],
      [8, 2],
      [20, 1],
    ]),
  );
  return { name: "database frozen" };
};

const freezeServer: Inject = async (stage, random) => {
  await freeze(
    [stage.killed.pid],
    random.pick([
      [3, 3],
      [20, 1],
    ]),
  );
  return { name: "server frozen" };
};

const freezeWorker: Inject = async (stage, random) => {
  const pid = oneWorker(stage, random);
  if (pid === 0) return { name: "no worker to freeze" };
  await freeze(
    [pid],
    random.pick([
      [3, 3],
      [20, 1],
    ]),
  );
  return { name: "worker frozen" };
};

const restartCluster: Inject = async ({ cluster }) => {
  signal([cluster.pid], "SIGHUP");
  await pause(5000);
  return { name: "cluster restarted worker by worker" };
};

const stepClock: Inject = async (stage, random) => {
  const server = random.pick(stage.servers.map((each) => [each, 1]));
  const offset = random.pick([
    [-3600, 1],
    [-90, 2],
    [-5, 2],
    [5, 2],
    [90, 2],
    [3600, 1],
  ]);
  setClock(server, offset);
  await pause(random.between(3000, 10_000));
  setClock(server, 0);
  await pause(1200);
  return { name: offset < 0 ? "clock stepped back" : "clock stepped forward" };
};

const killRedis: Inject = async ({ redis }, random) => {
  await redis?.kill();
  await pause(random.between(500, 3000));
  await redis?.start();
  return { name: "redis killed" };
};

const freezeRedis: Inject = async ({ redis }, random) => {
  redis?.freeze();
  await pause(random.between(500, 4000));
  redis?.thaw();
  return { name: "redis frozen" };
};

type Choice = readonly [inject: Inject, weight: number, kills?: "kills"];
interface Track {
  readonly choices: (stage: Stage) => readonly Choice[];
  /** What must serve again before the track's next fault. */
  readonly servers: (stage: Stage) => readonly Server[];
  readonly pauseMs: readonly [min: number, max: number];
}

export const tracks: readonly Track[] = [
  {
    choices: () => [
      [killServer, 16, "kills"],
      [killBoth, 2, "kills"],
      [freezeServer, 1],
    ],
    servers: ({ killed }) => [killed],
    pauseMs: [300, 2000],
  },
  {
    choices: () => [
      [killWorker, 20, "kills"],
      [killPrimary, 5, "kills"],
      [freezeWorker, 1],
      [restartCluster, 1],
    ],
    servers: ({ cluster }) => [cluster],
    pauseMs: [300, 2000],
  },
  {
    choices: ({ hasClocks, redis }) => [
      [stopDatabase, 5],
      [killDatabase, 3],
      [freezeDatabase, 2],
      [stepClock, hasClocks ? 3 : 0],
      [killRedis, redis ? 1 : 0],
      [freezeRedis, redis ? 1 : 0],
    ],
    servers: ({ steady }) => [steady],
    pauseMs: [4000, 12_000],
  },
];

async function databaseReturns(stage: Stage): Promise<boolean> {
  for (const started = Date.now(); Date.now() - started < 120_000; await pause(100))
    if (await stage.databaseIsUp()) return true;
  return false;
}

/** Injects one fault, waits until what it hit serves again, and returns what did not. */
export async function injectFault(
  track: Track,
  stage: Stage,
  random: Random,
  second: number,
  sparesProcesses: boolean,
): Promise<string[]> {
  const [min, max] = track.pauseMs;
  await pause(random.between(min, max));
  const choices = track
    .choices(stage)
    .filter(([, , kills]) => !(sparesProcesses && kills === "kills"))
    .map(([inject, weight]) => [inject, weight] as const);
  const { name, kills = 0, stops = 0 } = await random.pick(choices)(stage, random);
  stage.book.note({ line: "fault", name, second, kills, stops });
  if (!(await databaseReturns(stage))) return [`after "${name}" the database did not return`];
  const late: string[] = [];
  for (const server of track.servers(stage))
    if (!(await hasRecovered(server)))
      late.push(`after "${name}" the server "${server.name}" did not serve within 2 minutes`);
  return late;
}
