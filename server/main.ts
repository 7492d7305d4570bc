/**
 * The product: database, relay and pages on one port, from the start to a clean stop, in one
 * process or in several.
 */
import { fileURLToPath } from "node:url";
import { clusterLink } from "@/lib/cluster/link";
import { type OpenDatabase, openDatabase, ownsLedgerTables } from "@/lib/db/open";
import { placesOf, readDatabaseUrl } from "@/lib/net/database-url";
import { openDataFolder } from "@/lib/process/data-folder";
import { log } from "@/lib/process/log";
import type { Settings } from "@/lib/settings/settings";
import { processCount } from "./cluster/process-count";
import { SANDBOX_VARIABLE } from "./cluster/sandbox-process";
import { serveCluster } from "./cluster/serve-cluster";
import { prepareEnvironment, projectFolder } from "./environment";
import { type Signals, watchSignals } from "./signals";

const say = (line: string) => process.stdout.write(`${line}\n`);
const program = fileURLToPath(import.meta.url);

function surviveLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("unhandledRejection", (error) =>
    log.error({ err: error }, "unhandled promise rejection"),
  );
}

function welcome(
  { publicUrl, RELAY_SIGNUP, DATABASE_URL, RELAY_DATA_DIR }: Settings,
  processes: number,
  seconds: number,
): void {
  const by = processes === 1 ? "" : ` by ${processes} processes`;
  say(`\nRelay serves on ${publicUrl}${by} (ready after ${seconds.toFixed(1)} s).`);
  say(
    RELAY_SIGNUP === "closed"
      ? `Sign in:   ${publicUrl}/login`
      : `Sign up:   ${publicUrl}/signup   or sign in: ${publicUrl}/login`,
  );
  say(
    "Operator:  npm run --silent relay -- account create --email you@example.com --password-stdin --operator",
  );
  say(
    `Database:  ${DATABASE_URL === undefined ? `embedded PostgreSQL in ${RELAY_DATA_DIR}` : placesOf(readDatabaseUrl(DATABASE_URL))}`,
  );
  say("Stop with Ctrl-C.\n");
}

/**
 * Migrates the database and completes the environment: every copy of the code in this process, and
 * every worker, reads all settings from there.
 */
async function openPlace(settings: Settings): Promise<OpenDatabase> {
  openDataFolder(settings.RELAY_DATA_DIR);
  const database = await openDatabase(settings, projectFolder);
  Object.assign(process.env, { DATABASE_URL: database.url, NEXTAUTH_URL: settings.publicUrl });
  // The role that owns the tables was needed for the migration only.
  delete process.env.DATABASE_OWNER_URL;
  if (await ownsLedgerTables(database.url)) {
    log.warn(
      "DATABASE_URL's role owns the ledger's tables, so it could write points without the ledger: see DATABASE_OWNER_URL in .env.example",
    );
  }
  return database;
}

interface Serve {
  readonly settings: Settings;
  readonly stop: Signals;
  readonly onServing: () => void;
  readonly onStopping: () => void;
}

async function serveAlone({ settings, stop, onServing, onStopping }: Serve): Promise<void> {
  // Loaded only where requests are served: the primary of several processes does not need it.
  const { openServing } = await import("./serve-requests");
  const serving = await openServing(settings);
  onServing();
  await stop.requested;
  onStopping();
  await serving.stop(stop.forced);
}

async function serveUntilStopped(
  settings: Settings,
  stop: Signals,
  startedAt: number,
): Promise<void> {
  const workers = processCount(settings);
  log.level = settings.RELAY_LOG_LEVEL;
  const database = await openPlace(settings);
  const serve: Serve = {
    settings,
    stop,
    onServing: () => {
      welcome(settings, workers, (Date.now() - startedAt) / 1000);
      void warnOfNeighbours(settings);
    },
    onStopping: () => say("Stopping: finishing the requests in flight."),
  };
  try {
    await (workers === 1 ? serveAlone(serve) : serveCluster({ ...serve, workers, program }));
  } finally {
    await database.close();
  }
}

/** Beside the work: a service that does not answer delays no start. */
async function warnOfNeighbours(settings: Settings): Promise<void> {
  const { checkNeighbours } = await import("@/lib/doctor/neighbours");
  for (const { name, state, text } of await checkNeighbours(settings))
    if (state === "bad") log.error({ alarm: "neighbour", name }, text);
}

function fail(error: unknown): never {
  process.stderr.write(`relay: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

/**
 * Serves until SIGINT or SIGTERM, then exits: with 0 after a requested stop, with 1 and a one-line
 * error when it cannot serve.
 */
export async function serve(startedAt = Date.now()): Promise<never> {
  const stop = watchSignals();
  surviveLostReaders();
  try {
    await serveUntilStopped(await prepareEnvironment(), stop, startedAt);
    say("Stopped.");
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

/** Runs this process's part, which the primary process has given it. */
async function serveOwnPart(): Promise<never> {
  surviveLostReaders();
  const link = clusterLink();
  try {
    if (process.env[SANDBOX_VARIABLE] === "1") {
      const { serveSandbox } = await import("./cluster/serve-sandbox");
      await serveSandbox(process.env.DATABASE_URL ?? "");
    } else if (link !== null) {
      const { serveAsWorker } = await import("./cluster/serve-worker");
      await serveAsWorker(link);
    }
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

export { prepareEnvironment };

if (process.argv[1] === program) {
  Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? "production" });
  const isPart = clusterLink() !== null || process.env[SANDBOX_VARIABLE] === "1";
  await (isPart ? serveOwnPart() : serve());
}
