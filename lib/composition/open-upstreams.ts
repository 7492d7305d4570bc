/**
 * The upstream side: the sandbox if it serves, the chooser, and the adapters with every call
 * counted.
 */
import { findModel } from "../catalog/models";
import type { ChannelRegistry } from "../channels/channel-registry";
import { createHealthRecorder } from "../channels/health-recorder";
import type { ServedBy } from "../contract/states";
import { createChannelLimiter, createSharedChannelLimiter } from "../limits/channel-limiter";
import { log } from "../log";
import type { RelayMetrics } from "../metrics/relay-metrics";
import { type Sandbox, startSandbox } from "../sandbox/sandbox";
import type { Settings } from "../settings";
import { traceProviders } from "../tracing/trace-relay";
import { createChooser } from "../upstream/choose";
import { meterProviders } from "../upstream/meter";
import type { Channel } from "../upstream/provider";
import { createProviders } from "../upstream/wiring/create-providers";
import type { Stores } from "./open-stores";

/** The configured channels of a model, and the sandbox if the setting allows it. */
function channelsWithSandbox(
  mode: Settings["RELAY_SANDBOX"],
  registry: ChannelRegistry,
  sandbox: Sandbox | null,
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

export async function openUpstreams(
  settings: Settings,
  { pool, channelRegistry, ledger, shared, tracer }: Stores,
  counts: RelayMetrics,
) {
  const sandbox = settings.RELAY_SANDBOX === "off" ? null : await startSandbox();
  const chooser = createChooser({
    channelsFor: channelsWithSandbox(settings.RELAY_SANDBOX, channelRegistry, sandbox),
    limiter: shared === null ? createChannelLimiter() : createSharedChannelLimiter(shared),
  });
  const onProblem = (err: unknown) =>
    log.warn({ err }, "the health of channels could not be written");
  const health = createHealthRecorder({
    pool,
    nodeId: ledger.nodeId,
    restOf: chooser.restOf,
    onProblem,
  });
  const unmetered = createProviders(tracer && (() => tracer.traceparent()));
  const providers = meterProviders(
    tracer ? traceProviders(tracer, unmetered) : unmetered,
    counts.watchMeter(health),
  );
  const isSandbox = (channel: Channel) => channel.id === sandbox?.channel.id;
  return {
    chooser,
    unmetered,
    providers,
    all: () => [...channelRegistry.all(), ...(sandbox === null ? [] : [sandbox.channel])],
    byId: (id: string) => (id === sandbox?.channel.id ? sandbox.channel : channelRegistry.byId(id)),
    isPassing: isSandbox,
    servedBy(model: string): ServedBy {
      const offered = chooser.offered(model);
      if (offered.length === 0) return "nobody";
      return offered.every(isSandbox) ? "sandbox" : "channel";
    },
    close: () => Promise.allSettled([providers.close(), sandbox?.close(), health.close()]),
  };
}

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>;
