/**
 * The spans of one process, joined with those of other services by W3C `traceparent`. This is all
 * that the relay uses of OpenTelemetry.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type {
  Context,
  Span as SdkSpan,
  Tracer as SdkTracer,
  TextMapPropagator,
} from "@opentelemetry/api";

/** Passed in, not imported: the library is loaded only when traces are exported. */
type Library = Pick<
  typeof import("@opentelemetry/api"),
  | "ROOT_CONTEXT"
  | "SpanKind"
  | "SpanStatusCode"
  | "defaultTextMapGetter"
  | "defaultTextMapSetter"
  | "trace"
>;

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Begin {
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly attributes: Attributes;
}

/** What happened to the spans that ended. */
export interface Exported {
  readonly exported: number;
  readonly dropped: number;
}

export class Span {
  constructor(
    readonly context: Context,
    readonly own: SdkSpan,
    readonly library: Library,
  ) {}

  /** Adds attributes to the span. */
  note(attributes: Attributes): void {
    this.own.setAttributes(attributes);
  }

  /**
   * Ends the span once; later calls change nothing. `error` is a code, never text from a client or
   * an upstream.
   */
  end(error: string | null = null): void {
    if (!this.own.isRecording()) return;
    if (error !== null)
      this.own.setStatus({ code: this.library.SpanStatusCode.ERROR, message: error });
    this.own.end();
  }
}

export interface TracerDeps {
  readonly library: Library;
  readonly tracer: SdkTracer;
  readonly propagator: TextMapPropagator;
  readonly counts: Exported;
  /** Sends the remaining spans, as far as the collector accepts them. */
  readonly close: () => Promise<void>;
}

export class Tracer {
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #kinds: Readonly<Record<Begin["kind"], number>>;

  constructor(readonly deps: TracerDeps) {
    const { SpanKind } = deps.library;
    this.#kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
  }

  get counts(): Exported {
    return this.deps.counts;
  }

  get current(): Span | undefined {
    return this.#current.getStore();
  }

  /** The `traceparent` of the current span, for another service. */
  traceparent(): string | undefined {
    const span = this.current;
    if (span === undefined) return undefined;
    const carrier: { traceparent?: string } = {};
    this.deps.propagator.inject(span.context, carrier, this.deps.library.defaultTextMapSetter);
    return carrier.traceparent;
  }

  run<Result>(span: Span, work: () => Result): Result {
    return this.#current.run(span, work);
  }

  /** Starts the span of a request, below the caller's span if the request has a `traceparent`. */
  beginRequest(begin: Begin, traceparent: string | undefined): Span {
    const { ROOT_CONTEXT, defaultTextMapGetter } = this.deps.library;
    if (traceparent === undefined) return this.#open(begin, ROOT_CONTEXT);
    return this.#open(
      begin,
      this.deps.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter),
    );
  }

  /** Starts a span below the current one; undefined when there is none. */
  beginBelow(begin: Begin): Span | undefined {
    const parent = this.current;
    return parent && this.#open(begin, parent.context);
  }

  close(): Promise<void> {
    return this.deps.close();
  }

  #open({ name, kind, attributes }: Begin, context: Context): Span {
    const { library, tracer } = this.deps;
    const own = tracer.startSpan(name, { kind: this.#kinds[kind], attributes }, context);
    return new Span(library.trace.setSpan(context, own), own, library);
  }
}
