/** The stores of this process: the database, the caches over it, the ledger, the results. */
import { join } from "node:path";
import type pg from "pg";
import { createKeyAuthenticator } from "../accounts/key-authenticator";
import { mayOperateFrom } from "../accounts/operator-addresses";
import { openArchivedRequests } from "../archive/archived-requests";
import { createChannelRegistry } from "../channels/channel-registry";
import { openLeasedWindows } from "../cluster/leased-limits";
import { clusterLink } from "../cluster/link";
import { createContentKeeper } from "../content/content-keeper";
import { openSecrets, type Secrets } from "../crypto/secrets";
import { type Changes, openChanges } from "../db/changes";
import { countMigrations } from "../db/migrate";
import { openPool } from "../db/pool";
import { createLedger } from "../ledger/ledger";
import { createRedisWindows } from "../limits/redis-windows";
import { openSharedWindows, type SharedWindows } from "../limits/shared-windows";
import { OwnWindows } from "../limits/windows";
import { createLiveSettings } from "../live-settings/live-settings";
import { openMedia, s3Of } from "../media/open-media";
import type { RelayMetrics } from "../metrics/relay-metrics";
import { createModelBook } from "../model-book/model-book";
import { createPriceBook } from "../price-book/price-book";
import { seedPrices } from "../price-book/set-price";
import { log } from "../process/log";
import { readWorkerIdentity } from "../process/worker-identity";
import type { Settings } from "../settings/settings";
import { openStoredResponses } from "../stored-responses/open-stored-responses";
import { openTracer } from "../tracing/open-tracer";
import type { Tracer } from "../tracing/tracer";

/**
 * Separate connection pools, so that none waits for another: for the pages and the caches, for the
 * API's endpoints and repeated requests, and for keys that are not cached. Sign-in, the ledger and
 * the video tasks have their own.
 */
const POOL_CONNECTIONS = { pages: 8, relay: 8, keys: 3 };

const countNodes = "select count(*)::int as count from node where lease_until > now()";

/** Opens the limits that all processes share. */
function openShared(url: string, pool: pg.Pool, processId: string): Promise<SharedWindows> {
  return openSharedWindows({
    url,
    processId,
    countProcesses: async () =>
      (await pool.query<{ count: number }>(countNodes)).rows[0]?.count ?? 1,
    log: (event, detail) =>
      event === "up" ? log.info({ event }, detail) : log.error({ alarm: "redis" }, detail),
  });
}

/** Who counts the limits: Redis, the primary process of this machine, or, without both, this process. */
async function openLimits({ REDIS_URL }: Settings, pool: pg.Pool, processId: string) {
  const shared = REDIS_URL === undefined ? null : await openShared(REDIS_URL, pool, processId);
  const link = clusterLink();
  const leased = link !== null && shared === null ? openLeasedWindows(link) : null;
  const windows = shared !== null ? createRedisWindows(shared) : (leased ?? new OwnWindows());
  return { shared, link, leased, windows };
}

/** Undefined when no traces are exported. */
async function openTraces(settings: Settings, instanceId: string): Promise<Tracer | undefined> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_SERVICE_NAME: serviceName,
  } = settings;
  if (endpoint === undefined) return undefined;
  const onProblem = (reason: string) => log.warn({ reason }, "the collector takes no traces");
  return openTracer({
    endpoint,
    headers,
    serviceName,
    instanceId,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    onProblem,
  });
}

const noteModel = (model: string, err: unknown) =>
  log.error({ alarm: "model", model, err }, "a model cannot be read");

const openKeys = (settings: Settings, pool: pg.Pool, changes: Changes) =>
  createKeyAuthenticator({
    pool,
    changes,
    mayOperateFrom: (address) => mayOperateFrom(settings, address),
  });

const reportStore = (err: unknown) =>
  err === null
    ? log.warn("the store of results takes files again")
    : log.error({ alarm: "neighbour", err }, "the store of results takes no files");

const openContents = (pool: pg.Pool, secrets: Secrets) =>
  createContentKeeper({ pool, secrets }, (err) =>
    log.warn({ err }, "contents of requests could not be kept"),
  );

export async function openStores(settings: Settings, noteBatch: RelayMetrics["noteBatch"]) {
  const { DATABASE_URL: databaseUrl, RELAY_DATA_DIR: dataFolder, publicUrl } = settings;
  if (databaseUrl === undefined)
    throw new Error("DATABASE_URL must be set before the relay is composed.");
  const secrets = openSecrets(settings);
  const pool = openPool(databaseUrl, POOL_CONNECTIONS.pages);
  const relayPool = openPool(databaseUrl, POOL_CONNECTIONS.relay);
  const keyPool = openPool(databaseUrl, POOL_CONNECTIONS.keys);
  const pools = [pool, relayPool, keyPool];
  const migrations = await countMigrations(pool);
  await seedPrices(pool);
  const changes = await openChanges(databaseUrl);
  const keyAuthenticator = openKeys(settings, keyPool, changes);
  const modelBook = await createModelBook({ pool, changes, onProblem: noteModel });
  const priceBook = await createPriceBook({ pool, changes });
  const live = await createLiveSettings({ pool, changes, environment: process.env });
  const channelRegistry = await createChannelRegistry({
    pool,
    changes,
    secrets,
    onProblem: (message) => log.error({ alarm: "channel" }, message),
  });
  const spoolFolder = join(dataFolder, "spool");
  const ledgerLog = (event: string, detail: unknown) => log.warn({ event, detail }, "ledger");
  const nodeId = readWorkerIdentity()?.nodeId;
  const ledger = await createLedger({
    databaseUrl,
    ...(nodeId !== undefined && { nodeId }),
    spoolFolder,
    log: ledgerLog,
    onBatch: noteBatch,
  });
  const results = await openMedia({
    ...{ pool, secrets, publicUrl, dataFolder, s3: s3Of(settings), reportStore },
    reportProblem: (error) => log.error({ err: error }, "expired results could not be removed"),
  });
  const stored = openStoredResponses(
    { pool: relayPool, secrets, days: () => Number(live.value("response_days")) },
    (error) => log.error({ err: error }, "expired responses could not be removed"),
  );
  const limits = await openLimits(settings, pool, ledger.nodeId);
  const tracer = await openTraces(settings, ledger.nodeId);
  return {
    databaseUrl,
    secrets,
    pool,
    relayPool,
    pools,
    changes,
    keyAuthenticator,
    modelBook,
    priceBook,
    live,
    channelRegistry,
    ledger,
    results,
    archive: openArchivedRequests(pool, results.blobs),
    stored,
    contents: openContents(relayPool, secrets),
    ...limits,
    tracer,
    migrations,
  };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** A worker whose last turn is longer ago than this hangs: no turn takes that long. */
const WORKER_SILENT_MS = 30_000;

export async function assertReady(
  { relayPool, migrations, ledger }: Stores,
  workerSilentMs: number,
): Promise<void> {
  if (!ledger.isUp) throw new Error("no database takes writes");
  if ((await countMigrations(relayPool)) < migrations)
    throw new Error("the database lacks migrations that it had");
  if (workerSilentMs > WORKER_SILENT_MS) throw new Error("the worker of video tasks has stopped");
}

export async function closeStores(
  {
    ledger,
    modelBook,
    priceBook,
    live,
    channelRegistry,
    changes,
    pools,
    shared,
    leased,
    tracer,
  }: Stores,
  ...more: readonly { close(): void }[]
): Promise<void> {
  await ledger.close();
  leased?.close();
  for (const part of [...more, modelBook, priceBook, live, channelRegistry]) part.close();
  await Promise.allSettled([
    changes.close(),
    ...pools.map((pool) => pool.end()),
    shared?.close(),
    tracer?.close(),
  ]);
}
