/**
 * Starts and stops everything that a run needs: upstream, bare proxy, PostgreSQL and the product,
 * each on its own core.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import pg from "pg";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { parentProcess, processTree } from "../e2e/soak/processor-time";

const root = join(import.meta.dirname, "../..");

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
    /** Runs its command line, with --json. */
    readonly relay: <T>(...words: string[]) => T;
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

function onFirstCore(command: string, words: string[]): [string, string[]] {
  return isFirstCoreAvoided ? ["taskset", ["-c", "0", command, ...words]] : [command, words];
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Ends a child with this process: what a failed run left behind would disturb the next one. */
function endWithUs(child: ChildProcess): void {
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

async function startPart(
  name: string,
  isOnFirstCore: boolean,
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const file = join(root, "dist/bench", `${name}.mjs`);
  const [command, words] = isOnFirstCore
    ? onFirstCore(process.execPath, [file])
    : [process.execPath, [file]];
  const child = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  endWithUs(child);
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

async function waitUntilServed(url: string, child: ChildProcess): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 300_000; ) {
    if (child.exitCode !== null) throw new Error("the product did not start");
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the product did not answer in time");
}

function relay<T>(cwd: string, environment: Record<string, string>, ...words: string[]): T {
  const text = execFileSync("npm", ["run", "--silent", "relay", "--", ...words, "--json"], {
    cwd,
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  return JSON.parse(text) as T;
}

/**
 * The process id of a local database's server: the parent of the process that serves our
 * connection.
 */
async function findPostmaster(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = parentProcess(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** The flags that `npm start` of a checkout gives to Node. */
function nodeFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  return scripts.start.match(/--\S+=\S+/g) ?? [];
}

/** Creates an account with plenty of points, and returns its key. */
function createAccount(
  checkout: string,
  environment: Record<string, string>,
  email: string,
): string {
  relay(
    checkout,
    environment,
    ...["account", "create", "--email", email, "--password", "a-long-bench-password"],
    ...["--points", "900000000"],
  );
  const key = ["key", "create", "--email", email, "--name", "bench", "--rpm", "1000000"];
  return relay<{ secret: string }>(checkout, environment, ...key).secret;
}

/** Creates the accounts, and the channel to the instant upstream; returns the keys. */
function furnish(
  checkout: string,
  environment: Record<string, string>,
  upstreamPort: number,
): string[] {
  const keys = Array.from({ length: accounts }, (_, n) =>
    createAccount(checkout, environment, `bench${n}-${process.pid}@example.com`),
  );
  // Of an earlier run on the same database; their upstream is gone.
  const { channels } = relay<{ channels: { id: string }[] }>(
    checkout,
    environment,
    ...["channel", "list"],
  );
  for (const { id } of channels)
    for (const verb of ["disable", "remove"])
      relay(checkout, environment, ...["channel", verb, "--id", id]);
  relay(
    checkout,
    environment,
    ...["channel", "create", "--name", "instant", "--protocol", "openai"],
    ...["--base-url", `http://127.0.0.1:${upstreamPort}/v1`, "--api-key", "upstream"],
    ...["--models", "RelayV1=instant", "--rps", "0", "--rpm", "0"],
  );
  return keys;
}

/** The bare proxy and the upstream. */
async function buildParts(): Promise<void> {
  await build({
    entryPoints: ["bare-proxy", "instant-upstream"].map((name) =>
      join(root, "bench", `${name}.ts`),
    ),
    outdir: join(root, "dist/bench"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
}

function startProduct(checkout: string, environment: Readonly<Record<string, string>>) {
  const [command, words] = onFirstCore(process.execPath, [
    ...(process.env.BENCH_NODE_FLAGS?.split(" ") ?? nodeFlags(checkout)),
    join(checkout, "server/start.mjs"),
  ]);
  const product = spawn(command, words, {
    cwd: checkout,
    env: {
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "131072",
      MALLOC_TRIM_THRESHOLD_: "1048576",
      ...process.env,
      ...environment,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWithUs(product);
  return product;
}

/**
 * Builds and starts all parts, the product from `checkout`, with an account that has plenty of
 * points and a key without a practical limit.
 */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { checkout = root, processes = usualProcesses } = options;
  await buildParts();
  const folder = mkdtempSync(join(tmpdir(), "relay-bench-"));
  const [upstreamPort, proxyPort, productPort] = [
    options.upstreamPort ?? (await freePort()),
    await freePort(),
    await freePort(),
  ];
  const upstream = await startPart("instant-upstream", false, { PORT: String(upstreamPort) });
  const proxy = await startPart("bare-proxy", true, {
    PORT: String(proxyPort),
    UPSTREAM_PORT: String(upstreamPort),
  });
  const databaseFolder =
    options.databaseFolder ?? process.env.BENCH_DATABASE ?? join(folder, "postgres");
  const postgres = await startEmbeddedPostgres(databaseFolder);
  const postmaster = await findPostmaster(postgres.url);
  const environment = {
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    RELAY_PROCESSES: processes,
    RELAY_DATA_DIR: join(folder, "data"),
    PORT: String(productPort),
    RELAY_SANDBOX: "off",
    // As behind a reverse proxy: of any other address, at most 200 connections are accepted.
    RELAY_TRUSTED_PROXIES: "127.0.0.1",
    NODE_ENV: "production" as const,
  };
  const apiKeys = furnish(checkout, environment, upstreamPort);
  const [apiKey = ""] = apiKeys;
  const product = startProduct(checkout, environment);
  await waitUntilServed(`http://127.0.0.1:${productPort}/healthz`, product);
  const tree = (child: ChildProcess) => () =>
    child.pid === undefined ? [] : processTree(child.pid);
  return {
    proxy: { port: proxyPort, pids: tree(proxy) },
    product: {
      port: productPort,
      pids: tree(product),
      apiKey,
      apiKeys,
      relay: (...words) => relay(checkout, environment, ...words),
    },
    upstreamPids: tree(upstream),
    postgresPids: () => processTree(postmaster),
    databaseUrl: postgres.url,
    databaseFolder,
    stop: async () => {
      await stopChild(product);
      await Promise.all([stopChild(proxy), stopChild(upstream)]);
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
