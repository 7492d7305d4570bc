/**
 * All metrics that are not counted during requests: the state of this process and of the
 * installation.
 */
import type pg from "pg";
import { type FamilyReading, type Join, textOf, totalsOf } from "../cluster/joined-metrics";
import type { ClusterLink } from "../cluster/link";
import { openScrape } from "../cluster/scrape";
import type { Endpoint } from "../http/exchange";
import type { OpenLedger } from "../ledger/ledger";
import type { RunningWork } from "../limits/running-work";
import type { SharedWindows } from "../limits/shared-windows";
import type { Tracer } from "../tracing/tracer";
import type { Chooser } from "../upstream/choose";
import type { Channel } from "../upstream/provider";
import { addInstallationFigures, type KeptFor } from "./installation-figures";
import { metricsEndpoint } from "./metrics-endpoint";
import { addProcessFigures } from "./process-figures";
import type { Registry } from "./registry";

export interface FigureDeps {
  readonly registry: Registry;
  readonly pool: pg.Pool;
  readonly keep: KeptFor;
  /** METRICS_TOKEN. */
  readonly token: string | undefined;
  readonly ledger: Pick<OpenLedger, "waiting" | "isUp">;
  readonly running: RunningWork;
  readonly chooser: Pick<Chooser, "cooldownOf" | "keepsBound" | "givesUsage">;
  readonly channels: () => readonly Channel[];
  readonly tracer: Tracer | undefined;
  readonly shared: SharedWindows | null;
  /** Null in a process that serves alone. */
  readonly link: ClusterLink | null;
}

export interface Figures {
  readonly endpoint: Endpoint;
  /** What was counted so far. */
  totals(): FamilyReading[];
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
        value: Number(chooser.cooldownOf(id) > 0),
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
    "1 while the last answers of a channel carried no usage in this process, so that it cooldowns.",
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
  keep,
  token,
  ledger,
  running,
  chooser,
  channels,
  tracer,
  shared,
  link,
}: FigureDeps): Figures {
  const own = addProcessFigures(registry);
  const readInstallation = addInstallationFigures(registry, pool, keep, () => ledger.isUp);
  const gauge = (name: string, help: string, value: () => number, join: Join) =>
    registry.gauge(name, help, () => [{ value: value() }], join);
  gauge(
    "relay_running",
    "Requests that hold points in this process now.",
    () => running.count,
    "sum",
  );
  gauge(
    "relay_draining",
    "1 when this process admits no new requests; of several workers, how many.",
    () => Number(running.isDraining),
    "sum",
  );
  gauge(
    "relay_ledger_queue",
    "Verbs and batches that wait for their commit.",
    () => ledger.waiting,
    "sum",
  );
  gauge(
    "relay_ledger_up",
    "1 while the ledger's writer has a connection; of several workers, while all have.",
    () => Number(ledger.isUp),
    "min",
  );
  addChannelFigures(registry, chooser, channels);
  if (shared)
    gauge("relay_redis_up", "1 while Redis answers in time.", () => Number(shared.isUp), "min");
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
  const measure = async () => {
    await Promise.all([own.refresh(), readInstallation()]);
    return registry.families();
  };
  const read = link === null ? async () => textOf(await measure()) : openScrape(link, measure);
  return {
    endpoint: metricsEndpoint(token, read),
    totals: () => totalsOf(registry.families()),
    close: own.close,
  };
}
