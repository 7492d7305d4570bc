/**
 * Builds and connects all real parts, once per process. The only place that does so; server only.
 */
import { join } from "node:path";
import type pg from "pg";
import { createKeyRing } from "./accounts/key-ring";
import type { SignedIn } from "./accounts/principal";
import { readSessionPrincipal } from "./accounts/session-principal";
import { watchSpending } from "./accounts/spend-watch";
import { callbackSecret } from "./callbacks/signature";
import { models } from "./catalog/models";
import { createChannelBook } from "./channels/channel-book";
import { createHealthRecorder } from "./channels/health-recorder";
import type { EndpointRow } from "./contract/endpoint";
import { openChanges } from "./db/changes";
import { countMigrations } from "./db/migrate";
import { openPool } from "./db/pool";
import { logAccess } from "./http/access-log";
import type { Endpoint } from "./http/exchange";
import { answerRequest } from "./http/fetch-lane";
import { type FindEndpoint, routeTable } from "./http/route-table";
import { openOnce } from "./idempotency/once";
import { createLedger } from "./ledger/ledger";
import { createBodyMemory } from "./limits/body-memory";
import { createChannelLimiter, createSharedChannelLimiter } from "./limits/channel-limiter";
import { createKeyLimiter, createSharedKeyLimiter } from "./limits/key-limiter";
import { createRunningWork } from "./limits/running-work";
import { openSharedWindows, type SharedWindows } from "./limits/shared-windows";
import { createLiveSettings } from "./live-settings/live-settings";
import { log } from "./log";
import { openMedia, s3Of } from "./media/open-media";
import { openFigures } from "./metrics/open-figures";
import { createRegistry } from "./metrics/registry";
import { createRelayMetrics, type RelayMetrics } from "./metrics/relay-metrics";
import { openPages } from "./pages-api/open-pages";
import { createPriceBook } from "./price-book/price-book";
import { seedPrices } from "./price-book/set-price";
import { relayRoutes } from "./relay/routes";
import { openVideos } from "./relay/video/open-videos";
import { type Sandbox, startSandbox } from "./sandbox/sandbox";
import { openSecrets } from "./secrets";
import { readSettings, type Settings } from "./settings";
import { openTracer } from "./tracing/open-tracer";
import { traceEndpoint, traceLedger, traceProviders } from "./tracing/trace-relay";
import type { Tracer } from "./tracing/tracer";
import { createChooser } from "./upstream/choose";
import { meterProviders } from "./upstream/meter";
import type { Channel } from "./upstream/provider";
import { createProviders } from "./upstream/wiring/create-providers";

/**
 * How long requests in flight may run after a stop was requested. Then their upstream calls are
 * ended.
 */
const GRACE_MS = 25_000;
const ABORT_MS = 3_000;
/**
 * Separate connection pools, so that none waits for another: for the pages and the caches, for the
 * API's endpoints and repeated requests, and for keys that are not cached. Sign-in, the ledger and
 * the video tasks have their own.
 */
const POOL_CONNECTIONS = { pages: 8, relay: 8, keys: 3 };

export interface Relay {
  /** The endpoint for a method and a path; undefined for the paths of the pages. */
  readonly find: FindEndpoint;
  /** Called for each answer of the pages. */
  notePage(status: number, seconds: number): void;
  start(): Promise<void>;
  /** Accepts no new work; resolves when everything in progress is settled or released. */
  drain(): Promise<void>;
  /** Closes what was opened; call it after `drain`. */
  close(): Promise<void>;
}

type ChannelBook = Awaited<ReturnType<typeof createChannelBook>>;

/** The configured channels of a model, and the sandbox if the setting allows it. */
function channelsWithSandbox(
  mode: Settings["RELAY_SANDBOX"],
  book: ChannelBook,
  sandbox: Sandbox | null,
): (model: string) => readonly Channel[] {
  if (sandbox === null) return book.forModel;
  const { channel } = sandbox;
  const alone = [channel];
  const familyOf = new Map(models.map((model) => [model.id, models.filter(({ family }) => family === model.family)]));
  return (model) => {
    if (channel.models[model] === undefined) return book.forModel(model);
    if (mode === "on") return [...book.forModel(model), channel];
    // A disabled channel also means that the family is served for real: its customers get an error
    // instead of the sandbox.
    return familyOf.get(model)?.some(({ id }) => book.isConfigured(id)) ? book.forModel(model) : alone;
  };
}

const countNodes = "select count(*)::int as count from node where lease_until > now()";

/** Opens the limits that all processes share. */
function openShared(url: string, pool: pg.Pool, processId: string): Promise<SharedWindows> {
  return openSharedWindows({
    url,
    processId,
    countProcesses: async () => (await pool.query<{ count: number }>(countNodes)).rows[0]?.count ?? 1,
    log: (event, detail) => (event === "up" ? log.info({ event }, detail) : log.error({ alarm: "redis" }, detail)),
  });
}

/** Undefined when no traces are exported. */
async function openTraces(settings: Settings, instanceId: string): Promise<Tracer | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: serviceName } = settings;
  if (endpoint === undefined) return undefined;
  const onProblem = (reason: string) => log.warn({ reason }, "the collector takes no traces");
  return openTracer({ endpoint, headers, serviceName, instanceId, ratio: settings.OTEL_TRACES_SAMPLER_ARG, onProblem });
}

/** The stores of this process: the database, the caches over it, the ledger, the results. */
async function openStores(settings: Settings, noteBatch: RelayMetrics["noteBatch"]) {
  const { DATABASE_URL: databaseUrl, RELAY_DATA_DIR: dataFolder, publicUrl } = settings;
  if (databaseUrl === undefined) throw new Error("DATABASE_URL must be set before the relay is composed.");
  const secrets = openSecrets(settings);
  const pool = openPool(databaseUrl, POOL_CONNECTIONS.pages);
  const relayPool = openPool(databaseUrl, POOL_CONNECTIONS.relay);
  const keyPool = openPool(databaseUrl, POOL_CONNECTIONS.keys);
  const pools = [pool, relayPool, keyPool];
  const migrations = await countMigrations(pool);
  await seedPrices(pool);
  const changes = await openChanges(databaseUrl);
  const keyRing = createKeyRing({ pool: keyPool, changes });
  const priceBook = await createPriceBook({ pool, changes });
  const live = await createLiveSettings({ pool, changes, environment: process.env });
  const channelBook = await createChannelBook({ pool, changes, secrets, onProblem: (message) => log.error({ alarm: "channel" }, message) });
  const spoolFolder = join(dataFolder, "spool");
  const ledgerLog = (event: string, detail: unknown) => log.warn({ event, detail }, "ledger");
  const ledger = await createLedger({ databaseUrl, spoolFolder, log: ledgerLog, onBatch: noteBatch });
  const reportProblem = (error: unknown) => log.error({ err: error }, "expired results could not be removed");
  const results = await openMedia({ pool, secrets, publicUrl, dataFolder, s3: s3Of(settings), reportProblem });
  const shared = settings.REDIS_URL === undefined ? null : await openShared(settings.REDIS_URL, pool, ledger.nodeId);
  const tracer = await openTraces(settings, ledger.nodeId);
  return {
    databaseUrl,
    secrets,
    pool,
    relayPool,
    pools,
    changes,
    keyRing,
    priceBook,
    live,
    channelBook,
    ledger,
    results,
    shared,
    tracer,
    migrations,
  };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * The upstream side: the sandbox if it serves, the chooser, and the adapters with every call
 * counted.
 */
async function openWays(settings: Settings, { pool, channelBook, ledger, shared, tracer }: Stores, counts: RelayMetrics) {
  const sandbox = settings.RELAY_SANDBOX === "off" ? null : await startSandbox();
  const chooser = createChooser({
    channelsFor: channelsWithSandbox(settings.RELAY_SANDBOX, channelBook, sandbox),
    limiter: shared === null ? createChannelLimiter() : createSharedChannelLimiter(shared),
  });
  const onProblem = (err: unknown) => log.warn({ err }, "the health of channels could not be written");
  const health = createHealthRecorder({ pool, nodeId: ledger.nodeId, restOf: chooser.restOf, onProblem });
  const unmetered = createProviders(tracer && (() => tracer.traceparent()));
  const providers = meterProviders(tracer ? traceProviders(tracer, unmetered) : unmetered, counts.watchMeter(health));
  return {
    chooser,
    unmetered,
    providers,
    all: () => [...channelBook.all(), ...(sandbox === null ? [] : [sandbox.channel])],
    byId: (id: string) => (id === sandbox?.channel.id ? sandbox.channel : channelBook.byId(id)),
    isPassing: (channel: Channel) => channel.id === sandbox?.channel.id,
    close: () => Promise.allSettled([providers.close(), sandbox?.close(), health.close()]),
  };
}

/** Wraps an endpoint so that its requests are counted, traced and logged. */
function watchedBy(counts: RelayMetrics, tracer: Stores["tracer"]) {
  return ({ row, endpoint }: { row: EndpointRow; endpoint: Endpoint }) => {
    const traced = tracer ? traceEndpoint(tracer, row, endpoint) : endpoint;
    return { row, endpoint: counts.watch(row, log.isLevelEnabled("debug") ? logAccess(log, row, traced) : traced) };
  };
}

async function compose(settings: Settings): Promise<Relay> {
  log.level = settings.RELAY_LOG_LEVEL;
  const registry = createRegistry();
  const counts = createRelayMetrics(registry);
  const stores = await openStores(settings, counts.noteBatch);
  const { databaseUrl, secrets, pool, relayPool, changes, keyRing, priceBook, results, tracer } = stores;
  const ledger = counts.watchLedger(tracer ? traceLedger(tracer, stores.ledger) : stores.ledger);
  const reportProblem = (fields: object, message: string) => log.error(fields, message);
  const ways = await openWays(settings, stores, counts);
  const { chooser, providers } = ways;
  const site = openPages({ ...stores, settings, providers: ways.unmetered, reportProblem });
  const running = createRunningWork();
  const bodyMemory = createBodyMemory();
  const { nodeId } = stores.ledger;
  const place = { databaseUrl, processId: nodeId, changes, secrets, callbackNetworks: settings.RELAY_CALLBACK_NETWORKS };
  const shared = { ledger, priceBook, chooser, running, log };
  const { byId: channelById, isPassing } = ways;
  const videos = openVideos(place, { ...shared, provider: providers.video, results: results.media, channelById, isPassing });
  const once = openOnce(relayPool, nodeId, log);
  const spendWatch = watchSpending(pool, (err) => log.error({ alarm: "spend", err }, "keys cannot be watched for sudden spending"));
  const parts = {
    ...shared,
    keyRing,
    sessionPrincipal: (signedIn: SignedIn) => readSessionPrincipal(relayPool, signedIn),
    keyLimiter: stores.shared === null ? createKeyLimiter() : createSharedKeyLimiter(stores.shared),
    once,
    bodyMemory,
    pool: relayPool,
    callbackSecretOf: (accountId: string) => callbackSecret(secrets.current, accountId),
    provider: providers.chat,
    imageProvider: providers.image,
    media: results.media,
    links: results.links,
    video: videos.parts,
    checkDatabase: () => assertReady(stores, videos.silentMs()),
  };
  const figures = openFigures({
    registry,
    pool,
    token: settings.METRICS_TOKEN,
    ledger: stores.ledger,
    running,
    chooser,
    channels: ways.all,
    tracer,
    shared: stores.shared,
  });
  const find = routeTable(relayRoutes(parts).map(watchedBy(counts, tracer)));
  return {
    find: (method, path) => (path === "/metrics" && method === "GET" ? figures.endpoint : find(method, path)),
    notePage: counts.notePage,
    start: async () => videos.start(),
    async drain() {
      videos.drain();
      if (await running.drain(GRACE_MS)) return;
      providers.abortAll();
      await running.drain(ABORT_MS);
    },
    async close() {
      await Promise.all([videos.close(), spendWatch.close()]);
      await Promise.allSettled([site.close(), ways.close(), keyRing.close(), results.close()]);
      await closeStores(stores, once, figures);
    },
  };
}

/** A worker's turn takes less than this, whatever happens. */
const WORKER_SILENT_MS = 30_000;

async function assertReady({ relayPool, migrations }: Stores, workerSilentMs: number): Promise<void> {
  if ((await countMigrations(relayPool)) < migrations) throw new Error("the database lacks migrations that it had");
  if (workerSilentMs > WORKER_SILENT_MS) throw new Error("the worker of video tasks has stopped");
}

async function closeStores(
  { ledger, priceBook, live, channelBook, changes, pools, shared, tracer }: Stores,
  ...more: readonly { close(): void }[]
): Promise<void> {
  await ledger.close();
  for (const part of [...more, priceBook, live, channelBook]) part.close();
  await Promise.allSettled([changes.close(), ...pools.map((pool) => pool.end()), shared?.close(), tracer?.close()]);
}

const slot = Symbol.for("relay.composition");
const holder = globalThis as { [slot]?: Promise<Relay> };

/**
 * The process's relay, built from the environment at the first call. Every copy of this module
 * returns the same one.
 */
export function composition(): Promise<Relay> {
  holder[slot] ??= compose(readSettings(process.env)).catch((error: unknown) => {
    delete holder[slot];
    throw error;
  });
  return holder[slot];
}

/** Answers a web request by the endpoint table; every file in `app/v1` exports it. */
export async function answer(request: Request): Promise<Response> {
  return answerRequest((await composition()).find, request);
}
