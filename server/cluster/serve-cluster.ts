/**
 * The primary process of several: keeps the workers running and serves no requests itself. Node
 * passes each new connection to the workers in turn.
 */
import cluster from "node:cluster";
import type { FamilyReading } from "@/lib/cluster/joined-metrics";
import { newNodeId } from "@/lib/crypto/ids";
import { log } from "@/lib/process/log";
import { WORKER_VARIABLE, type WorkerIdentity } from "@/lib/process/worker-identity";
import type { Settings } from "@/lib/settings/settings";
import { rereadEnvironment } from "../environment";
import type { Signals } from "../signals";
import { openClusterLimits } from "./limits";
import { Member } from "./member";
import { openClusterMetrics } from "./metrics";
import { openSandboxProcess, type SandboxProcess } from "./sandbox-process";
import { Supervisor } from "./supervisor";

export interface ClusterOptions {
  readonly settings: Settings;
  readonly workers: number;
  /** The file that a worker runs. */
  readonly program: string;
  readonly stop: Signals;
  /** Called once all workers serve. */
  readonly onServing: () => void;
  readonly onStopping: () => void;
}

/** Tells a worker that serves to end what dead ones left open. */
class Undertaker {
  /** Nodes of dead workers not yet reported to a worker. */
  #waiting: string[] = [];

  constructor(readonly serving: () => readonly Member[]) {}

  add(nodeId: string): void {
    this.#waiting.push(nodeId);
    this.tell();
  }

  tell(): void {
    const [member] = this.serving();
    if (member === undefined) return;
    for (const nodeId of this.#waiting) member.tell({ kind: "bury", nodeId });
    this.#waiting = [];
  }
}

/** What the primary process itself adds to the metrics. */
function ownFigures(crew: Supervisor): FamilyReading[] {
  const { user, system } = process.cpuUsage();
  const of = (name: string, type: "counter" | "gauge", help: string, value: number) =>
    ({ name, help, type, join: "sum", lines: [`${name} ${value}`] }) satisfies FamilyReading;
  return [
    of("relay_workers", "gauge", "Workers that get new requests.", crew.serving.length),
    of(
      "relay_workers_replaced_total",
      "counter",
      "Workers that ended by themselves, or hung, and were replaced.",
      crew.replaced,
    ),
    of("process_cpu_seconds_total", "counter", "Processor time used.", (user + system) / 1e6),
    of("process_resident_memory_bytes", "gauge", "Memory in use.", process.memoryUsage.rss()),
  ];
}

function openCrew({ workers }: ClusterOptions, sandbox: SandboxProcess | null): Supervisor {
  let number = 0;
  const open = (): Member => {
    const nodeId = newNodeId();
    number++;
    const place: WorkerIdentity = {
      worker: number,
      workers,
      nodeId,
      sandbox: sandbox?.place ?? null,
    };
    const environment = { [WORKER_VARIABLE]: JSON.stringify(place) };
    return new Member({
      number,
      nodeId,
      environment,
      onMessage: (member, message) => {
        if (message.kind === "serving") undertaker.tell();
        if (message.kind === "ask_rests")
          crew.serving[0]?.tell({ kind: "tell_rests", worker: member.number });
        if (message.kind === "cooldowns") memberOf(message.worker)?.tell(message);
        if (message.kind === "limits") limits.hear(member, message);
        if (message.kind === "scrape") metrics.scrape(member);
        if (message.kind === "figures") metrics.hear(member, message.families);
      },
    });
  };
  const crew = new Supervisor({
    workers,
    open,
    log,
    onGone: (member, { code }) => {
      limits.forget(member);
      metrics.forget(member);
      // One that ended by itself has closed its ledger.
      if (code !== 0) undertaker.add(member.nodeId);
    },
  });
  const memberOf = (wanted: number) => [...crew.members].find(({ number }) => number === wanted);
  const limits = openClusterLimits(workers, memberOf);
  const metrics = openClusterMetrics(
    () => [...crew.members].filter(({ isServing }) => isServing),
    () => ownFigures(crew),
  );
  const undertaker = new Undertaker(() => crew.serving);
  return crew;
}

/** Replaces all workers by new ones, with the settings that `.env` has now. */
async function restart(crew: Supervisor): Promise<void> {
  try {
    rereadEnvironment();
  } catch (err) {
    log.error({ err }, "a setting is wrong: the workers were not restarted");
    return;
  }
  log.info({}, "restarting the workers one by one");
  if (await crew.roll()) log.info({}, "all workers were restarted");
}

/** Serves with several workers until a stop is requested. The database is open and migrated. */
export async function serveCluster(options: ClusterOptions): Promise<void> {
  const { settings, program, stop } = options;
  cluster.setupPrimary({ exec: program, args: [], silent: true });
  const sandbox = settings.RELAY_SANDBOX === "off" ? null : await openSandboxProcess(program);
  const crew = openCrew(options, sandbox);
  try {
    const started = await Promise.race([crew.start(), stop.requested.then(() => null)]);
    if (started === false) throw new Error("the first worker could not start");
    if (started) options.onServing();
    stop.onHangUp(() => void restart(crew));
    await stop.requested;
    options.onStopping();
  } finally {
    await crew.stop(stop.forced);
    await sandbox?.close();
  }
}
