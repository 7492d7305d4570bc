/**
 * Starts and stops everything that a run needs: upstream, bare proxy, PostgreSQL and the product,
 * each on its own core.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { z } from "zod";
import { makeAccount, makeChannel, makeKey, type Relay } from "@/testing/stage/command-line";
import { freePort } from "@/testing/stage/listen";
import { processTree } from "@/testing/stage/processes";
import { endWithUs, hasEnded, root } from "@/testing/stage/product";
import { openStage as openInstallation } from "@/testing/stage/stage";

export interface StageOptions {
  /** The folder of the product, if it is not this one. */
  readonly checkout?: string;
  readonly processes?: string;
  /** Any free one if it is null. */
  readonly upstreamPort?: number | null;
  /** The folder of a local database; `BENCH_DATABASE` or a new one by default. */
  readonly databaseFolder?: string;
}

export interface Stage {
  readonly proxy: { readonly port: number; readonly pids: () => number[] };
  readonly product: {
    readonly port: number;
    readonly pids: () => number[];
    readonly apiKey: string;
    /** One of each account; `apiKey` is the first. */
    readonly apiKeys: readonly string[];
    readonly relay: Relay;
  };
  readonly upstreamPids: () => number[];
  readonly postgresPids: () => number[];
  readonly databaseUrl: string;
  readonly databaseFolder: string;
  stop(): Promise<void>;
}

/** The number of processes that serve the product, unless a caller gives another. Several may use all cores. */
const usualProcesses = process.env.RELAY_PROCESSES ?? "1";
/** How many accounts with a key each: batches for one account wait for each other. */
const accounts = Number(process.env.BENCH_ACCOUNTS ?? 1);
let isFirstCoreAvoided = false;

/** Binds a process that runs to the core of the targets, if they have one. */
export function bindToFirstCore(pid: number): void {
  if (isFirstCoreAvoided) execFileSync("taskset", ["-acp", "0", String(pid)], { stdio: "ignore" });
}

/** Binds this process, and by default what it starts, to every core but the first, which is the target's. */
export function avoidFirstCore(): void {
  if (process.platform !== "linux" || availableParallelism() < 2 || usualProcesses !== "1") return;
  execFileSync("taskset", ["-acp", `1-${availableParallelism() - 1}`, String(process.pid)], {
    stdio: "ignore",
  });
  isFirstCoreAvoided = true;
}

const onFirstCore = () => (isFirstCoreAvoided ? ["taskset", "-c", "0"] : []);

/** A small program of this folder in a process of its own. */
async function startPart(
  name: string,
  before: readonly string[],
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const file = join(root, "dist/bench", `${name}.mjs`);
  const [command = "", ...words] = [...before, process.execPath, file];
  const child = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  endWithUs(child);
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

async function stopPart(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

const listed = z.object({ channels: z.array(z.object({ id: z.string() })) });

/** Creates the accounts, and the channel to the instant upstream; returns the keys. */
async function furnish(relay: Relay, upstreamPort: number): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < accounts; n++) {
    const email = `bench${n}-${process.pid}@example.com`;
    await makeAccount(relay, email, 900_000_000);
    keys.push((await makeKey(relay, email)).secret);
  }
  // Of an earlier run on the same database; their upstream is gone.
  for (const { id } of listed.parse(await relay("channel", "list")).channels)
    for (const verb of ["disable", "remove"]) await relay("channel", verb, "--id", id);
  const baseUrl = `http://127.0.0.1:${upstreamPort}/v1`;
  await makeChannel(relay, {
    ...{ name: "instant", protocol: "openai", baseUrl, models: "RelayV1=instant" },
  });
  return keys;
}

async function buildParts(): Promise<void> {
  await build({
    entryPoints: ["bare-proxy", "instant-upstream"].map((name) =>
      join(root, "tools/bench", `${name}.ts`),
    ),
    outdir: join(root, "dist/bench"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
}

/** Settings of the product that are to be measured. */
const given = () =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^RELAY_(?!SECRET)/.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

/** The product of `checkout`, not started yet, on a database of its own. */
function openProduct({ checkout, processes = usualProcesses, databaseFolder }: StageOptions) {
  const folder = databaseFolder ?? process.env.BENCH_DATABASE;
  const flags = process.env.BENCH_NODE_FLAGS?.split(" ") ?? [];
  return openInstallation({
    checkout,
    database: folder === undefined ? "shared" : { folder },
    settings: {
      ...given(),
      RELAY_PROCESSES: processes,
      RELAY_SANDBOX: "off",
      // As behind a reverse proxy: of any other address, at most 200 connections are accepted.
      RELAY_TRUSTED_PROXIES: "127.0.0.1",
    },
    servers: { product: { flags, before: onFirstCore() } },
  });
}

/**
 * Builds and starts all parts, the product from `checkout`, with an account that has plenty of
 * points and a key without a practical limit.
 */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  await buildParts();
  const upstreamPort = options.upstreamPort ?? (await freePort());
  const proxyPort = await freePort();
  const upstream = await startPart("instant-upstream", [], { PORT: String(upstreamPort) });
  const proxy = await startPart("bare-proxy", onFirstCore(), {
    PORT: String(proxyPort),
    UPSTREAM_PORT: String(upstreamPort),
  });
  const { servers, database, relay, close } = await openProduct(options);
  const [server] = servers;
  if (server === undefined || database === null) throw new Error("a part is missing");
  const apiKeys = await furnish(relay, upstreamPort);
  await server.start();
  const tree =
    ({ pid = 0 }: { readonly pid?: number | undefined }) =>
    () =>
      pid === 0 ? [] : processTree(pid);
  const [apiKey = ""] = apiKeys;
  return {
    proxy: { port: proxyPort, pids: tree(proxy) },
    product: { port: server.port, pids: tree(server), apiKey, apiKeys, relay },
    upstreamPids: tree(upstream),
    postgresPids: database.pids,
    databaseUrl: database.url,
    databaseFolder: database.folder,
    async stop() {
      await server.stop();
      await Promise.all([stopPart(proxy), stopPart(upstream)]);
      await close();
    },
  };
}
