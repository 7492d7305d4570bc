/** Spans of one process, joined across services by W3C's `traceparent`. Exists only where traces are exported. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { Attributes, Exporter, FinishedSpan } from "./exporter";

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Adds to what the span says of itself. */
  note(attributes: Attributes): void;
  /** Ends it once; what comes later changes nothing. */
  end(error?: string | null): void;
}

interface Begin {
  readonly name: string;
  readonly kind: FinishedSpan["kind"];
  readonly attributes: Attributes;
}

const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const now = () => performance.timeOrigin + performance.now();

/** What a caller's `traceparent` says; null when it says nothing that can be used. */
export function readParent(header: string | undefined): { traceId: string; spanId: string; isSampled: boolean } | null {
  const [, version, traceId = "", spanId = "", flags = "", more] = parentPattern.exec(header ?? "") ?? [];
  if (version === undefined || version === "ff" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  if (version === "00" && more !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export class Tracer {
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(
    readonly exporter: Exporter,
    /** The share of traces that is kept, 0 to 1; the same traces in every process. */
    readonly ratio: number,
  ) {}

  get current(): Span | undefined {
    return this.#current.getStore();
  }

  /** What the span under way is called by towards another service. */
  traceparent(): string | undefined {
    const span = this.current;
    return span && `00-${span.traceId}-${span.spanId}-${span.isSampled ? "01" : "00"}`;
  }

  run<Result>(span: Span, work: () => Result): Result {
    return this.#current.run(span, work);
  }

  /** A request's own span, below the caller's where it sent one: whoever left a trace out of the sample is followed. */
  beginRequest(begin: Begin, header: string | undefined): Span {
    const parent = readParent(header);
    const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
    const isSampled = (parent?.isSampled ?? true) && Number.parseInt(traceId.slice(-8), 16) < this.ratio * 2 ** 32;
    return this.#open(begin, traceId, parent?.spanId, isSampled);
  }

  /** A span below the one under way; undefined when there is none. */
  beginBelow(begin: Begin): Span | undefined {
    const parent = this.current;
    return parent && this.#open(begin, parent.traceId, parent.spanId, parent.isSampled);
  }

  #open({ name, kind, attributes }: Begin, traceId: string, parentSpanId: string | undefined, isSampled: boolean): Span {
    const spanId = randomBytes(8).toString("hex");
    const startMs = now();
    let noted = attributes;
    let isOver = !isSampled;
    return {
      traceId,
      spanId,
      isSampled,
      note: (more) => {
        noted = { ...noted, ...more };
      },
      end: (error = null) => {
        if (isOver) return;
        isOver = true;
        this.exporter.add({ traceId, spanId, parentSpanId, name, kind, startMs, endMs: now(), attributes: noted, error });
      },
    };
  }
}
