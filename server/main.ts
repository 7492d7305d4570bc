/**
 * The product as one process: database, relay and pages on one port, from the start to a clean
 * stop.
 */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import next from "next";
import { composition } from "@/lib/composition";
import { openDataFolder } from "@/lib/data-folder";
import { openDatabase, ownsLedgerTables } from "@/lib/db/open";
import { log } from "@/lib/log";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { pause } from "@/lib/pause";
import type { Settings } from "@/lib/settings";
import { prepareEnvironment, projectFolder } from "./environment";
import { createWebServer } from "./web-server";

/**
 * How long requests in flight may take to end after the first signal. A second signal ends the
 * wait.
 */
const DRAIN_SECONDS_MAX = 30;
/**
 * npm forwards a signal that the terminal has sent to us already: one that comes this soon is the
 * same signal.
 */
const SAME_SIGNAL_MILLISECONDS = 1000;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface StopRequest {
  readonly requested: Promise<void>;
  /** Resolves at a second signal, or when the wait has taken too long. */
  readonly forced: Promise<void>;
}

function watchSignals(): StopRequest {
  let first = 0;
  let requestStop = () => {};
  let forceStop = () => {};
  const requested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  const forced = new Promise<void>((resolve) => {
    forceStop = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (first === 0) {
        first = Date.now();
        setTimeout(forceStop, DRAIN_SECONDS_MAX * 1000).unref();
        requestStop();
      } else if (Date.now() - first > SAME_SIGNAL_MILLISECONDS) forceStop();
    });
  }
  return { requested, forced };
}

function surviveLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("unhandledRejection", (error) =>
    log.error({ err: error }, "unhandled promise rejection"),
  );
}

function welcome(
  { publicUrl, RELAY_SIGNUP, DATABASE_URL, RELAY_DATA_DIR }: Settings,
  seconds: number,
): void {
  say(`\nRelay serves on ${publicUrl} (ready after ${seconds.toFixed(1)} s).`);
  say(
    RELAY_SIGNUP === "closed"
      ? `Sign in:   ${publicUrl}/login`
      : `Sign up:   ${publicUrl}/signup   or sign in: ${publicUrl}/login`,
  );
  say(
    "Operator:  npm run --silent relay -- account create --email you@example.com --password-stdin --operator",
  );
  say(
    `Database:  ${DATABASE_URL === undefined ? `embedded PostgreSQL in ${RELAY_DATA_DIR}` : new URL(DATABASE_URL).host}`,
  );
  say("Stop with Ctrl-C.\n");
}

async function serveUntilStopped(
  settings: Settings,
  stop: StopRequest,
  startedAt: number,
): Promise<void> {
  const { HOST, PORT, publicUrl } = settings;
  const isDevelopment = process.env.NODE_ENV === "development";
  openDataFolder(settings.RELAY_DATA_DIR);
  const database = await openDatabase(settings, projectFolder);
  try {
    // All settings are known now; every copy of the code in this process reads them from the
    // environment.
    Object.assign(process.env, { DATABASE_URL: database.url, NEXTAUTH_URL: publicUrl });
    // The role that owns the tables was needed for the migration only.
    delete process.env.DATABASE_OWNER_URL;
    if (await ownsLedgerTables(database.url)) {
      log.warn(
        "DATABASE_URL's role owns the ledger's tables, so it could write points without the ledger: see DATABASE_OWNER_URL in .env.example",
      );
    }
    const relay = await composition();
    const pages = next({
      dev: isDevelopment,
      dir: projectFolder,
      hostname: HOST,
      port: PORT,
      quiet: !isDevelopment,
    });
    await Promise.all([relay.start(), pages.prepare()]);
    const report = (error: unknown, path: string) =>
      log.error({ err: error, path }, "an answer broke off");
    const trustedProxies = parseTrustedProxies(settings.RELAY_TRUSTED_PROXIES ?? "");
    const onUpgrade = isDevelopment ? pages.getUpgradeHandler() : undefined;
    const web = createWebServer({
      find: relay.find,
      pages: relay.pages,
      answerPage: pages.getRequestHandler(),
      report,
      trustedProxies,
      onUpgrade,
    });
    web.server.listen(PORT, HOST);
    await once(web.server, "listening");
    welcome(settings, (Date.now() - startedAt) / 1000);
    await stop.requested;
    say("Stopping: finishing the requests in flight.");
    web.endConnections();
    await Promise.race([relay.drain(), stop.forced]);
    const closed = new Promise((resolve) => web.server.close(resolve));
    web.server.closeIdleConnections();
    await Promise.race([closed, stop.forced, pause(5000)]);
    web.server.closeAllConnections();
    await pages.close();
    await relay.close();
  } finally {
    await database.close();
  }
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
    process.stderr.write(`relay: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

export { prepareEnvironment };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? "production" });
  await serve();
}
