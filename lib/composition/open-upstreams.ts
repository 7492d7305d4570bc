/**
 * The upstream side: the sandbox if it serves, the chooser, and the adapters with every call
 * counted.
 */
import { findModel } from "../catalog/models";
import { createAttemptRecorder } from "../channels/attempt-recorder";
import { startBalances } from "../channels/balances";
import type { ChannelRegistry } from "../channels/channel-registry";
import { createHealthRecorder } from "../channels/health-recorder";
import { startPriceLists } from "../channels/price-lists";
import { startRecovery } from "../channels/recovery";
import { presentRests, shareChannelEvents } from "../channels/shared-events";
import { storeRefused } from "../channels/store-refused";
import type { ClusterLink } from "../cluster/link";
import type { ServedBy } from "../contract/states";
import { createChannelLimiter } from "../limits/channel-limiter";
import type { RelayMetrics } from "../metrics/relay-metrics";
import { log } from "../process/log";
import { readWorkerIdentity, type WorkerIdentity } from "../process/worker-identity";
import { type Sandbox, sandboxChannel, startSandbox } from "../sandbox/sandbox";
import type { Settings } from "../settings/settings";
import { traceProviders } from "../tracing/trace-relay";
import { type Chooser, createChooser } from "../upstream/choose";
import { meterProviders } from "../upstream/meter";
import type { Channel } from "../upstream/provider";
import { createProviders } from "../upstream/wiring/create-providers";
import type { Stores } from "./open-stores";

/** The configured channels of a model, and the sandbox if the setting allows it. */
function channelsWithSandbox(
  mode: Settings["RELAY_SANDBOX"],
  registry: ChannelRegistry,
  sandbox: OpenSandbox | null,
): (model: string) => readonly Channel[] {
  if (sandbox === null) return registry.forModel;
  const { channel } = sandbox;
  const alone = [channel];
  return (model) => {
    if (channel.models[model] === undefined) return registry.forModel(model);
    if (mode === "on") return [...registry.forModel(model), channel];
    // A disabled channel also means that the family is served for real: its users get an error
    // instead of the sandbox.
    const family = findModel(model)?.family;
    return family !== undefined && registry.isConfigured(family) ? registry.forModel(model) : alone;
  };
}

type OpenSandbox = Pick<Sandbox, "channel" | "close">;

/** The sandbox that all workers use, or one of this process; null when it is turned off. */
async function openSandbox(
  mode: Settings["RELAY_SANDBOX"],
  place: WorkerIdentity | null,
): Promise<OpenSandbox | null> {
  if (mode === "off") return null;
  if (place === null || place.sandbox === null) return startSandbox();
  return { channel: sandboxChannel(place.sandbox), close: async () => {} };
}

/** Tells a new worker what this one knows of the channels, and asks another one itself. */
function shareRests(link: ClusterLink, chooser: Chooser): void {
  link.on("tell_rests", ({ worker }) => {
    void link.tell({ kind: "cooldowns", worker, told: chooser.told() });
  });
  link.on("cooldowns", ({ told }) => chooser.learn(told));
  void link.tell({ kind: "ask_rests" });
}

const openAttempts = (pool: Stores["pool"]) =>
  createAttemptRecorder(
    pool,
    (err) => log.warn({ err }, "attempts at upstreams could not be written"),
    (attemptId, err) => log.warn({ attemptId, err }, "an attempt at an upstream was refused"),
  );

/** What is left of our own account at each upstream, and what it asks for. */
const watchAccounts = (
  pool: Stores["pool"],
  channels: Stores["channelRegistry"],
  { balance, priceList }: ReturnType<typeof createProviders>,
) => [
  startBalances({ pool, channels: channels.all, read: balance }, (err) =>
    log.warn({ err }, "balances at upstreams cannot be read"),
  ),
  startPriceLists({ pool, byId: channels.byId, read: priceList }, (err) =>
    log.warn({ err }, "price lists of upstreams cannot be read"),
  ),
];

export async function openUpstreams(
  settings: Settings,
  { pool, changes, channelRegistry, ledger, link, live, tracer, windows }: Stores,
  counts: RelayMetrics,
) {
  const sandbox = await openSandbox(settings.RELAY_SANDBOX, readWorkerIdentity());
  const { nodeId } = ledger;
  const events = shareChannelEvents({ pool, changes, nodeId });
  const attempts = openAttempts(pool);
  const chooser = createChooser({
    channelsFor: channelsWithSandbox(settings.RELAY_SANDBOX, channelRegistry, sandbox),
    limiter: createChannelLimiter(windows),
    tell: events.tell,
    noteAttempt: attempts.note,
    remember: (channel, model, refused) =>
      void storeRefused(pool, channel, model, refused).catch((err: unknown) =>
        log.warn({ channelId: channel.id, err }, "what a channel refused was not stored"),
      ),
  });
  events.hear(chooser.hear);
  if (link === null) chooser.learn(await presentRests(pool));
  else shareRests(link, chooser);
  const onProblem = (err: unknown) =>
    log.warn({ err }, "the health of channels could not be written");
  const { cooldownOf } = chooser;
  const health = createHealthRecorder({ pool, nodeId, cooldownOf, onProblem });
  const unmetered = createProviders(tracer && (() => tracer.traceparent()));
  const providers = meterProviders(
    tracer ? traceProviders(tracer, unmetered) : unmetered,
    counts.watchMeter(health),
  );
  const byId = (id: string) =>
    id === sandbox?.channel.id ? sandbox.channel : channelRegistry.byId(id);
  const recovery = startRecovery(
    {
      pool,
      chooser,
      providers: unmetered,
      byId: channelRegistry.byId,
      seconds: () => Number(live.value("channel_test_seconds")),
    },
    (err) => log.warn({ err }, "resting channels cannot be tested"),
  );
  const accounts = watchAccounts(pool, channelRegistry, unmetered);
  const isSandbox = (channel: Channel) => channel.id === sandbox?.channel.id;
  return {
    chooser,
    unmetered,
    providers,
    all: () => [...channelRegistry.all(), ...(sandbox === null ? [] : [sandbox.channel])],
    byId,
    isPassing: isSandbox,
    servedBy(model: string): ServedBy {
      const offered = chooser.offered(model);
      if (offered.length === 0) return "nobody";
      return offered.every(isSandbox) ? "sandbox" : "channel";
    },
    close: () =>
      Promise.allSettled([
        recovery.close(),
        ...accounts.map((watch) => watch.close()),
        providers.close().then(attempts.close),
        sandbox?.close(),
        health.close(),
      ]),
  };
}

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>;
