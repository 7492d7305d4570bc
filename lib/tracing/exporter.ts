/** Sends spans to a collector as OTLP over HTTP with JSON: in batches, never waited for, from a queue that drops what it cannot hold. */
import { request } from "undici";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: 1 | 2 | 3;
  /** Milliseconds of Unix time, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Set when it failed: a code, never a text of a customer or an upstream. */
  readonly error: string | null;
}

export interface Exporter {
  add(span: FinishedSpan): void;
  readonly exported: number;
  readonly dropped: number;
  /** Sends what is left, as far as the collector takes it at once. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT has it: `/v1/traces` is put after it. */
  readonly endpoint: string;
  /** As OTEL_EXPORTER_OTLP_HEADERS has it: `name=value,name=value`. */
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly instanceId: string;
  readonly onProblem: (reason: string) => void;
}

const QUEUE_MAX = 4096;
const BATCH_MAX = 512;
const FLUSH_MS = 1000;
const EXPORT_MS = 5000;

const nanoseconds = (ms: number) => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

function anyValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  return typeof value === "boolean" ? { boolValue: value } : { intValue: String(Math.round(value)) };
}

const attributesOf = (attributes: Attributes) => Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function spanJson({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error }: FinishedSpan) {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(attributes),
    status: error === null ? {} : { code: 2, message: error },
  };
}

/** `name=value` pairs, percent-encoded, with commas between them. */
export function parseHeaders(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

export function openExporter({ endpoint, headers, serviceName, instanceId, onProblem }: ExporterOptions): Exporter {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces`;
  const sent = { ...parseHeaders(headers), "content-type": "application/json" };
  const resource = { attributes: attributesOf({ "service.name": serviceName, "service.instance.id": instanceId }) };
  let queue: FinishedSpan[] = [];
  let exported = 0;
  let dropped = 0;
  let hadProblem = false;
  let sending: Promise<void> | null = null;

  async function send(batch: readonly FinishedSpan[]): Promise<void> {
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "relay" }, spans: batch.map(spanJson) }] }] });
    try {
      const answer = await request(url, { method: "POST", headers: sent, body, signal: AbortSignal.timeout(EXPORT_MS) });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`status ${answer.statusCode}`);
      exported += batch.length;
      hadProblem = false;
    } catch (error) {
      dropped += batch.length;
      if (!hadProblem) onProblem(error instanceof Error ? error.message : String(error));
      hadProblem = true;
    }
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      await send(batch);
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }

  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return {
    add(span) {
      if (queue.length >= QUEUE_MAX) dropped++;
      else queue.push(span);
    },
    get exported() {
      return exported;
    },
    get dropped() {
      return dropped;
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
