/**
 * Loads and configures OpenTelemetry's SDK: sampled, batched from a bounded queue, sent as OTLP
 * over HTTP with JSON. No request waits for it.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { errorCode } from "../failures/relay-error";
import { type Exported, Tracer } from "./tracer";

export interface TracerOptions {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT; `/v1/traces` is appended. */
  readonly endpoint: string;
  /** The value of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`. */
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly instanceId: string;
  /** The share of traces that is kept, from 0 to 1; every process keeps the same traces. */
  readonly ratio: number;
  readonly onProblem: (reason: string) => void;
}

const QUEUE_MAX = 4096;
const BATCH_MAX = 512;
const FLUSH_MS = 1000;
/** Includes the exporter's retries. */
const EXPORT_MS = 5000;

/** How the collector refused. The text of its answer is left out. */
function reasonOf(error: Error | undefined): string {
  const code = errorCode(error);
  return typeof code === "number" ? `status ${code}` : (error?.message ?? "no answer");
}

/**
 * Bounds and counts the spans that ended. The SDK's queue has the same bound, but counts neither
 * these nor what is being sent.
 */
class Spans implements Exported {
  exported = 0;
  dropped = 0;
  #waiting = 0;
  #hadProblem = false;

  constructor(readonly onProblem: (reason: string) => void) {}

  limit(processor: SpanProcessor): SpanProcessor {
    return {
      onStart() {},
      onEnd: (span: ReadableSpan) => {
        if (this.#waiting >= QUEUE_MAX) {
          this.dropped++;
          return;
        }
        this.#waiting++;
        processor.onEnd(span);
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    };
  }

  count(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#waiting -= spans.length;
          const isTaken = result.error === undefined && result.code === 0;
          if (isTaken) this.exported += spans.length;
          else {
            this.dropped += spans.length;
            if (!this.#hadProblem) this.onProblem(reasonOf(result.error));
          }
          this.#hadProblem = !isTaken;
          done({ code: 0 });
        }),
      shutdown: () => exporter.shutdown(),
    };
  }
}

// Imported by package name: a bundle would load them at once if one of our files imported them.
async function loadLibraries() {
  const [library, core, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] = await Promise.all(
    [
      import("@opentelemetry/api"),
      import("@opentelemetry/core"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ],
  );
  return { library, core, resourceFromAttributes, sdk, OTLPTraceExporter };
}

export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const { endpoint, headers, serviceName, instanceId, ratio, onProblem } = options;
  const { library, core, resourceFromAttributes, sdk, OTLPTraceExporter } = await loadLibraries();
  const spans = new Spans(onProblem);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces`,
    headers: core.parseKeyPairsIntoRecord(headers),
    timeoutMillis: EXPORT_MS,
  });
  const processor = new sdk.BatchSpanProcessor({
    exporter: spans.count(exporter),
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: FLUSH_MS,
    // The exporter's own timeout comes first.
    exportTimeoutMillis: 2 * EXPORT_MS,
  });
  // A trace that the caller does not sample is not sampled here. Of the others the configured share
  // is.
  const root = new sdk.TraceIdRatioBasedSampler(ratio);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.instance.id": instanceId,
    }),
    sampler: new sdk.ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [spans.limit(processor)],
  });
  return new Tracer({
    library,
    tracer: provider.getTracer("relay"),
    propagator: new core.W3CTraceContextPropagator(),
    counts: spans,
    close: () => provider.shutdown(),
  });
}
