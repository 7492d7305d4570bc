/**
 * All metrics that are not counted during requests: the state of this process and of the
 * installation.
 */
import type pg from "pg";
import type { Endpoint } from "../http/exchange";
import type { OpenLedger } from "../ledger/ledger";
import type { RunningWork } from "../limits/running-work";
import type { SharedWindows } from "../limits/shared-windows";
import type { Tracer } from "../tracing/tracer";
import type { Chooser } from "../upstream/choose";
import type { Channel } from "../upstream/provider";
import { addInstallationFigures } from "./installation-figures";
import { metricsEndpoint } from "./metrics-endpoint";
import { addProcessFigures } from "./process-figures";
import type { Registry } from "./registry";

export interface FigureDeps {
  readonly registry: Registry;
  readonly pool: pg.Pool;
  /** METRICS_TOKEN. */
  readonly token: string | undefined;
  readonly ledger: Pick<OpenLedger, "waiting" | "isUp">;
  readonly running: RunningWork;
  readonly chooser: Pick<Chooser, "restOf" | "keepsBound" | "givesUsage">;
  readonly channels: () => readonly Channel[];
  readonly tracer: Tracer | undefined;
  readonly shared: SharedWindows | null;
}

export interface Figures {
  readonly endpoint: Endpoint;
  close(): void;
}

/** What this process knows about the channels. */
function addChannelFigures(
  registry: Registry,
  chooser: FigureDeps["chooser"],
  channels: FigureDeps["channels"],
): void {
  registry.gauge(
    "relay_channel_resting",
    "1 while this process skips a channel after failures.",
    () =>
      channels().map(({ id, name }) => ({
        labels: { channel: name },
        value: Number(chooser.restOf(id) > 0),
      })),
  );
  registry.gauge(
    "relay_channel_over_bound",
    "1 while holds of this process cover the model's maximum at a channel that exceeded its bound.",
    () =>
      channels().map(({ id, name }) => ({
        labels: { channel: name },
        value: Number(!chooser.keepsBound(id)),
      })),
  );
  registry.gauge(
    "relay_channel_without_usage",
    "1 while the last answers of a channel carried no usage in this process, so that it rests.",
    () =>
      channels().map(({ id, name }) => ({
        labels: { channel: name },
        value: Number(!chooser.givesUsage(id)),
      })),
  );
}

export function openFigures({
  registry,
  pool,
  token,
  ledger,
  running,
  chooser,
  channels,
  tracer,
  shared,
}: FigureDeps): Figures {
  const own = addProcessFigures(registry);
  const readInstallation = addInstallationFigures(registry, pool);
  registry.gauge("relay_running", "Requests that hold points in this process now.", () => [
    { value: running.count },
  ]);
  registry.gauge("relay_draining", "1 when this process admits no new requests.", () => [
    { value: Number(running.isDraining) },
  ]);
  registry.gauge("relay_ledger_queue", "Verbs and batches that wait for their commit.", () => [
    { value: ledger.waiting },
  ]);
  registry.gauge("relay_ledger_up", "1 while the ledger's writer has a connection.", () => [
    { value: Number(ledger.isUp) },
  ]);
  addChannelFigures(registry, chooser, channels);
  if (shared)
    registry.gauge("relay_redis_up", "1 while Redis answers in time.", () => [
      { value: Number(shared.isUp) },
    ]);
  if (tracer) {
    const { counts } = tracer;
    registry.total("relay_trace_spans_exported_total", "Spans that the collector accepted.", () => [
      { value: counts.exported },
    ]);
    registry.total(
      "relay_trace_spans_dropped_total",
      "Spans that the collector refused or a full queue dropped.",
      () => [{ value: counts.dropped }],
    );
  }
  const read = async () => {
    await Promise.all([own.refresh(), readInstallation()]);
    return registry.text();
  };
  return { endpoint: metricsEndpoint(token, read), close: own.close };
}
