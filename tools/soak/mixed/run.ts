/** One run: everything at once for a time, with a comparison in between and at the end. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Random, seeded } from "@/testing/extent/random";
import { productFaults, stopServers, waitUntilAllEnded } from "../installation";
import { readBook } from "./book";
import { startClients } from "./clients";
import { compare } from "./compare";
import { injectFault, tracks } from "./faults";
import { type MemoryWatch, slopesOf, watchMemory } from "./memory";
import { createOrders, plans } from "./orders";
import { auditOfOwn } from "./own-audit";
import { type Report, reportOf, tableOf } from "./report";
import { openMixedStage, type Stage } from "./stage";
import { statementCharges } from "./statement";
import type { Findings } from "./verdict";

export interface RunOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly clients: number;
  /** Where the verdict is written. */
  readonly out: string;
}

/** Between two comparisons with the book. */
const CHECK_SECONDS_MAX = 900;
/** In the last part of each hour no process is killed, so that the memory of all can be watched. */
const HOUR = 3600;
const CALM_FROM = 2700;

const commitHere = () => {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
};

class Run {
  readonly startedAt = performance.now();
  readonly reasons: string[] = [];
  checks = 0;
  #isEnded = false;

  constructor(
    readonly options: RunOptions,
    readonly stage: Stage,
  ) {}

  get second(): number {
    return Math.round((performance.now() - this.startedAt) / 1000);
  }

  /** Ends the run early, with a verdict. */
  end(): void {
    this.#isEnded = true;
  }

  async check(isOver: boolean): Promise<Findings> {
    const { stage } = this;
    const findings = await compare(stage.bookFile, stage.database.url, isOver);
    const own = await auditOfOwn(stage.database.url);
    this.checks++;
    for (const fault of own.faults) this.reasons.push(`second ${this.second}: ${fault}`);
    if (!isOver) this.reasons.push(...findings.examples);
    const { settled, counts } = findings;
    const bad = Object.entries(counts).filter(([, found]) => found > 0);
    console.log(
      `${(this.second / 60).toFixed(1)} minutes: ${settled} charges compared with the book, ` +
        `${bad.map(([name, found]) => `${found} ${name}`).join(", ") || "nothing wrong"}, ` +
        `own audit ${own.faults.length === 0 ? "clean" : own.faults.join("; ")}`,
    );
    return findings;
  }

  /** Injects the faults of all tracks, and compares in between, while no fault is under way. */
  async injectFaults(): Promise<void> {
    const { seconds, seed } = this.options;
    const every = Math.min(CHECK_SECONDS_MAX, Math.max(60, seconds / 4));
    for (let from = 0; from < seconds && !this.#isEnded; from = this.second) {
      const until = Math.min(seconds, from + every);
      await Promise.all(
        tracks.map((track, place) => this.#injectUntil(until, track, seeded(seed + from + place))),
      );
      if (this.second < seconds) await this.check(false);
    }
  }

  async #injectUntil(until: number, track: (typeof tracks)[number], random: Random): Promise<void> {
    while (this.second < until && !this.#isEnded) {
      const isCalm = this.second % HOUR >= CALM_FROM;
      const faults = await injectFault(track, this.stage, random, this.second, isCalm);
      this.reasons.push(...faults);
      for (const fault of faults) console.error(fault);
    }
  }
}

async function judge(run: Run, memory: MemoryWatch): Promise<Report> {
  const { stage, options, reasons } = run;
  await waitUntilAllEnded(stage);
  const findings = await run.check(true);
  memory.stop();
  const product = await productFaults(stage);
  const own = await auditOfOwn(stage.database.url);
  const charges = await statementCharges(stage);
  if (charges !== findings.charged)
    reasons.push(`the statement has charges of ${charges}, the ledger ${findings.charged}`);
  if (own.charged !== findings.charged)
    reasons.push(`the audit counts charges of ${own.charged}, the book ${findings.charged}`);
  reasons.push(...(await stopServers(stage)));
  const words = (faults: readonly string[]) =>
    faults.length === 0 ? "clean" : `${faults.length} rules broken`;
  return reportOf({
    at: new Date().toISOString(),
    commit: commitHere(),
    seed: options.seed,
    seconds: run.second,
    clock: stage.hasClocks
      ? "libfaketime, for each server alone"
      : "not stepped: libfaketime is not installed",
    redis: stage.redis !== null,
    checks: run.checks,
    book: await readBook(stage.bookFile),
    findings,
    slopes: slopesOf(memory.lives),
    audit: { product: words(product), own: `${words(own.faults)}, ${own.rules} rules` },
    reasons: [...reasons, ...product, ...own.faults],
  });
}

async function runOn(stage: Stage, options: RunOptions): Promise<Report> {
  const memory = watchMemory(stage);
  const run = new Run(options, stage);
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => run.end());
  console.log(`The run's data are in ${stage.folder}; seed ${options.seed}.`);
  const clients = startClients({
    urls: stage.servers.map(({ url }) => url),
    apiKey: stage.apiKey,
    count: options.clients,
    random: seeded(options.seed + 1),
    nextOrder: createOrders(seeded(options.seed), `s${options.seed}`, plans.everything),
    book: stage.book,
  });
  await run.injectFaults();
  console.log(`${(run.second / 60).toFixed(1)} minutes: the clients finish their orders`);
  await clients.stop();
  return judge(run, memory);
}

/** Returns the verdict, which is also printed and written; null if the run could not be ended. */
export async function runMixed(options: RunOptions): Promise<Report | null> {
  const stage = await openMixedStage(mkdtempSync(join(tmpdir(), "relay-soak-")));
  let report: Report | null = null;
  try {
    report = await runOn(stage, options);
    writeOut(options.out, report);
    console.log(`\n${tableOf(report)}\n`);
    for (const reason of report.reasons.slice(0, 40)) console.error(reason);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await stage.close(report?.passed !== true);
  }
  return report;
}

function writeOut(out: string, report: Report): void {
  mkdirSync(dirname(resolve(out)), { recursive: true });
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`The verdict is in ${out}.`);
}
