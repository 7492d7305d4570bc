/**
 * Builds and connects all real parts, once per process. The only place that does so; server only.
 */
import { mailServerOf } from "../accounts/mail";
import type { SignedIn } from "../accounts/principal";
import { readSessionPrincipal } from "../accounts/session-principal";
import { watchSpending } from "../accounts/spend-watch";
import { openTagBook } from "../accounts/tag-book";
import { callbackSecret } from "../callbacks/signature";
import type { FamilyReading } from "../cluster/joined-metrics";
import { pauseFailingWebhook } from "../commands/webhook-deliveries";
import type { EndpointRow } from "../contract/endpoint";
import { logAccess } from "../http/access-log";
import { withCrossOrigin } from "../http/cross-origin";
import type { Endpoint } from "../http/exchange";
import { answerRequest } from "../http/fetch-lane";
import type { PagesWatch } from "../http/pages-watch";
import type { FindEndpoint } from "../http/route-table";
import { openIdempotencyRunner } from "../idempotency/idempotency-runner";
import { keepPartitions } from "../ledger/archive/partitions";
import { followUsage } from "../ledger/usage/usage-follower";
import { createBodyMemory } from "../limits/body-memory";
import { createKeyLimiter } from "../limits/key-limiter";
import { createRunningWork, type RunningWork } from "../limits/running-work";
import { openFigures } from "../metrics/open-figures";
import { createRegistry } from "../metrics/registry";
import { createRelayMetrics, type RelayMetrics } from "../metrics/relay-metrics";
import { openNotifications } from "../notifications/open-notifications";
import { SpooledEnds, watchSpool } from "../notifications/spool-watch";
import { keyRoutes } from "../pages-api/key-routes";
import { openPages } from "../pages-api/open-pages";
import { log } from "../process/log";
import { imageTasks } from "../relay/image/image-task";
import { relayTable } from "../relay/relay-table";
import { openVideos } from "../relay/video/open-videos";
import { readSettings, type Settings } from "../settings/settings";
import { traceEndpoint, traceLedger } from "../tracing/trace-relay";
import { startRemover } from "../upkeep/remover";
import { assertReady, closeStores, openStores, type Stores } from "./open-stores";
import { openUpstreams, type Upstreams } from "./open-upstreams";

/**
 * How long requests in flight may run after a stop was requested. Then their upstream calls are
 * ended.
 */
const GRACE_MS = 25_000;
const ABORT_MS = 3_000;
export interface Relay {
  /** The endpoint for a method and a path; undefined for the paths of the pages. */
  readonly find: FindEndpoint;
  readonly pages: PagesWatch;
  start(): Promise<void>;
  /** Ends what a dead process of this machine left open, and returns how many requests that were. */
  reapNode(nodeId: string): Promise<number>;
  /** What the metrics count. */
  totals(): FamilyReading[];
  /** Accepts no new work; resolves when everything in progress is settled or released. */
  drain(): Promise<void>;
  /** Closes what was opened; call it after `drain`. */
  close(): Promise<void>;
}

/** Wraps an endpoint so that its requests are counted, traced and logged. */
function watchedBy(counts: RelayMetrics, tracer: Stores["tracer"]) {
  return ({ row, endpoint }: { row: EndpointRow; endpoint: Endpoint }) => {
    const traced = tracer ? traceEndpoint(tracer, row, endpoint) : endpoint;
    return {
      row,
      endpoint: counts.watch(
        row,
        log.isLevelEnabled("debug") ? logAccess(log, row, traced) : traced,
      ),
    };
  };
}

/** The part of the endpoints' dependencies that comes from the stores and the adapters. */
function relayDeps(
  { keyAuthenticator, relayPool, results, secrets, stored, contents, windows }: Stores,
  providers: Upstreams["providers"],
) {
  return {
    keyAuthenticator,
    sessionPrincipal: (signedIn: SignedIn) => readSessionPrincipal(relayPool, signedIn),
    keyLimiter: createKeyLimiter(windows),
    bodyMemory: createBodyMemory(),
    admitTags: openTagBook(relayPool),
    pool: relayPool,
    callbackSecretOf: (apiKeyId: string) => callbackSecret(secrets.current, apiKeyId),
    provider: providers.chat,
    imageProvider: providers.image,
    media: results.media,
    links: results.links,
    storedResponses: stored.responses,
    contents,
  };
}

function tableOf({ RELAY_CORS }: Settings, ...parts: Parameters<typeof relayTable>): FindEndpoint {
  const find = relayTable(...parts);
  return RELAY_CORS === "on" ? withCrossOrigin(find) : find;
}

/** Where the work on videos is done: the database, and the process that does it. */
const placeOf = (settings: Settings, { databaseUrl, changes, secrets, ledger }: Stores) => ({
  databaseUrl,
  processId: ledger.nodeId,
  changes,
  secrets,
  callbackNetworks: settings.RELAY_CALLBACK_NETWORKS,
});

const keepTimesOf = (settings: Settings) => ({
  deliveryDays: settings.RELAY_KEEP_DELIVERY_DAYS,
  signInFailureHours: settings.RELAY_KEEP_SIGN_IN_FAILURE_HOURS,
});

const figureSettings = (settings: Settings) => ({
  keep: { ...keepTimesOf(settings), requestMonths: settings.RELAY_KEEP_REQUEST_MONTHS },
  token: settings.METRICS_TOKEN,
});

/** Starts the background work that belongs to no request. Returns a function that stops it. */
function openWatches(
  settings: Settings,
  stores: Stores,
  spooled: SpooledEnds,
  batches: () => number,
): () => Promise<unknown> {
  const { pool, changes, databaseUrl, secrets } = stores;
  const spool = watchSpool(spooled, { pool, nodeId: stores.ledger.nodeId }, (err) =>
    log.error({ alarm: "notifications", err }, "operators cannot be told of the spool"),
  );
  const spendWatch = watchSpending(pool, (err) =>
    log.error({ alarm: "spend", err }, "keys cannot be watched for sudden spending"),
  );
  const follower = followUsage(
    databaseUrl,
    (err) => log.error({ alarm: "usage", err }, "ended requests cannot be counted in the sums"),
    batches,
  );
  const partitions = keepPartitions(databaseUrl, (err) =>
    log.error({ alarm: "partitions", err }, "partitions for the next months cannot be made"),
  );
  const remover = startRemover(databaseUrl, keepTimesOf(settings), (err) =>
    log.error({ alarm: "upkeep", err }, "rows whose time is over cannot be removed"),
  );
  const notifications = openNotifications({
    databaseUrl,
    pool,
    changes,
    secrets,
    networks: settings.RELAY_CALLBACK_NETWORKS,
    publicUrl: settings.publicUrl,
    mailServer: mailServerOf(settings),
    pause: (id) => pauseFailingWebhook({ pool }, "system", { id }),
    onProblem: (err) => log.error({ alarm: "notifications", err }, "people cannot be told"),
  });
  return () =>
    Promise.all([
      spendWatch.close(),
      follower.close(),
      partitions.close(),
      remover.close(),
      notifications.close(),
      spool.close(),
    ]);
}

/** Waits for the work in progress; ends the upstream calls of what takes too long. */
async function drainWork(running: RunningWork, providers: Upstreams["providers"]): Promise<void> {
  if (await running.drain(GRACE_MS)) return;
  providers.abortAll();
  await running.drain(ABORT_MS);
}

/** The tasks of videos, and those of images. */
function openTasks(
  settings: Settings,
  stores: Stores,
  { byId: channelById, isPassing, providers }: Upstreams,
  shared: Omit<
    Parameters<typeof openVideos>[1],
    "results" | "inputLengths" | "channelById" | "isPassing"
  >,
) {
  const { pool, results } = stores;
  const { media, inputLengths } = results;
  const given = { ...shared, results: media, inputLengths, channelById, isPassing };
  const images = imageTasks({ pool, media, imageProvider: providers.image });
  return openVideos(placeOf(settings, stores), given, images);
}

async function compose(settings: Settings): Promise<Relay> {
  log.level = settings.RELAY_LOG_LEVEL;
  const [registry, spooled] = [createRegistry(), new SpooledEnds()];
  const counts = createRelayMetrics(registry, () => spooled.note());
  const stores = await openStores(settings, counts.noteBatch);
  const { pool, priceBook, results, tracer } = stores;
  const ledger = counts.watchLedger(tracer ? traceLedger(tracer, stores.ledger) : stores.ledger);
  const reportProblem = (fields: object, message: string) => log.error(fields, message);
  const upstreams = await openUpstreams(settings, stores, counts);
  const { chooser, providers, servedBy, unmetered } = upstreams;
  const site = openPages({ ...stores, settings, providers: unmetered, servedBy, reportProblem });
  const running = createRunningWork();
  const shared = { ledger, priceBook, chooser, running, log };
  const videos = openTasks(settings, stores, upstreams, { ...shared, provider: providers.video });
  const idempotencyRunner = openIdempotencyRunner(stores, stores.ledger.nodeId, log);
  const closeWatches = openWatches(settings, stores, spooled, counts.batches);
  const deps = {
    ...shared,
    ...relayDeps(stores, providers),
    historyReaders: site.deps.historyReaders,
    idempotencyRunner,
    publicUrl: settings.publicUrl,
    video: videos.deps,
    checkDatabase: () => assertReady(stores, videos.silentMs()),
  };
  const figures = openFigures({
    registry,
    pool,
    ...figureSettings(settings),
    ledger: stores.ledger,
    running,
    chooser,
    channels: upstreams.all,
    tracer,
    shared: stores.shared,
    link: stores.link,
  });
  const find = tableOf(settings, deps, watchedBy(counts, tracer), keyRoutes(deps, site.deps));
  return {
    find: (method, path) =>
      path === "/metrics" && method === "GET" ? figures.endpoint : find(method, path),
    pages: { notePage: counts.notePage, assertAddressHasRoom: site.assertAddressHasRoom },
    start: async () => videos.start(),
    reapNode: (dead) => stores.ledger.reapNode(dead),
    async drain() {
      videos.drain();
      await drainWork(running, providers);
    },
    totals: figures.totals,
    async close() {
      await Promise.all([videos.close(), closeWatches()]);
      await Promise.allSettled([
        site.close(),
        upstreams.close(),
        stores.keyAuthenticator.close(),
        results.close(),
        stores.stored.close(),
        stores.contents.close(),
      ]);
      await closeStores(stores, figures);
    },
  };
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
