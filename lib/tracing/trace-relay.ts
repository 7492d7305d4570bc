/**
 * The spans of a request: the request, its hold, its upstream calls, its end. None contains an
 * identity or content.
 */
import type { EndpointRow } from "../contract/endpoint";
import { errorCode } from "../failures/relay-error";
import { type Endpoint, isStream } from "../http/exchange";
import type { TaskLedger } from "../ledger/core/task-verbs";
import type { Ledger } from "../ledger/core/verbs";
import type {
  Channel,
  ChatEnd,
  ChatStreamListener,
  ChunkSamples,
  JsonObject,
  TakeString,
  UpstreamFailure,
} from "../upstream/provider";
import type { Providers } from "../upstream/providers";
import type { Attributes, Span, Tracer } from "./tracer";

type TracedLedger = Ledger & TaskLedger;

/** A stream that ends the request's span when it ends. */
function endingWith(
  body: AsyncIterable<string | Uint8Array>,
  span: Span,
): AsyncIterable<string | Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = body[Symbol.asyncIterator]();
      return {
        async next() {
          const step = await source.next().catch((error: unknown) => {
            span.end("broken_off");
            throw error;
          });
          if (step.done) span.end();
          return step;
        },
        async return() {
          span.end("client_gone");
          return (await source.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}

/** Runs the endpoint in a span of its own. */
export function traceEndpoint(tracer: Tracer, row: EndpointRow, endpoint: Endpoint): Endpoint {
  const name = `${row.method} ${row.path}`;
  const known = { "http.request.method": row.method, "http.route": row.path };
  return async (incoming, signedIn) => {
    const dialect = incoming.dialect ?? row.dialect;
    const attributes = dialect === undefined ? known : { ...known, "relay.dialect": dialect };
    const span = tracer.beginRequest(
      { name, kind: "server", attributes },
      incoming.header("traceparent"),
    );
    const outgoing = await tracer.run(span, () => endpoint(incoming, signedIn));
    const { status, headers, body } = outgoing;
    span.note({
      "http.response.status_code": status,
      "relay.request_id": headers["x-request-id"] ?? "",
    });
    if (isStream(body)) return { ...outgoing, body: endingWith(body, span) };
    span.end(status >= 500 ? `status ${status}` : null);
    return outgoing;
  };
}

async function within<Result>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  say: (result: Result) => string,
) {
  const span = tracer.beginBelow({ name, kind: "internal", attributes });
  if (span === undefined) return work();
  try {
    const result = await work();
    span.note({ "relay.result": say(result) });
    span.end();
    return result;
  } catch (error) {
    span.end(String(errorCode(error) ?? "failed"));
    throw error;
  }
}

export function traceLedger(tracer: Tracer, ledger: TracedLedger): TracedLedger {
  const say = ({ result }: { result: string }) => result;
  const hold = <Result extends { result: string }>(model: string, work: () => Promise<Result>) =>
    within(tracer, "hold", { "relay.model": model }, work, say);
  const end = <Result extends { result: string }>(name: string, work: () => Promise<Result>) =>
    within(tracer, name, {}, work, say);
  return {
    openHold: (request) => hold(request.model, () => ledger.openHold(request)),
    openTask: (request, task) => hold(request.model, () => ledger.openTask(request, task)),
    settle: (request) => end("settle", () => ledger.settle(request)),
    release: (request) => end("release", () => ledger.release(request)),
    settleTask: (request, task) => end("settle", () => ledger.settleTask(request, task)),
    releaseTask: (request, task) => end("release", () => ledger.releaseTask(request, task)),
    credit: (...given) => ledger.credit(...given),
    refund: (...given) => ledger.refund(...given),
    openWallet: (accountId) => ledger.openWallet(accountId),
    setKeyBudget: (...given) => ledger.setKeyBudget(...given),
    setKeyLimit: (...given) => ledger.setKeyLimit(...given),
    balance: (accountId) => ledger.balance(accountId),
  };
}

/**
 * Calls the reader of a stream within the request's span: callbacks from a socket do not know it.
 */
class TracedStream implements ChatStreamListener {
  constructor(
    readonly tracer: Tracer,
    readonly listener: ChatStreamListener,
    readonly request: Span,
    readonly span: Span,
  ) {}

  onChunk(chunk: JsonObject): void {
    this.listener.onChunk(chunk);
  }

  openRepeats(samples: ChunkSamples): TakeString | null {
    return this.listener.openRepeats?.(samples) ?? null;
  }

  onBatchEnd(): void {
    this.listener.onBatchEnd();
  }

  onStall(): void {
    this.listener.onStall();
  }

  onCut(failure: UpstreamFailure): void {
    this.tracer.run(this.request, () => this.listener.onCut(failure));
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    this.span.end(failure?.code ?? null);
    this.tracer.run(this.request, () => this.listener.onEnd(end, failure));
  }
}

type Answered =
  | { readonly isOk: true }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

/** Wraps the adapters so that each call is a span, which the upstream can continue. */
export function traceProviders(tracer: Tracer, providers: Providers): Providers {
  const { chat, video, image } = providers;
  const begin = ({ name, protocol }: Channel) =>
    tracer.beginBelow({
      name: "upstream",
      kind: "client",
      attributes: { "relay.channel": name, "relay.protocol": protocol },
    });

  async function call<Result extends Answered>(
    channel: Channel,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const span = begin(channel);
    if (span === undefined) return work();
    const result = await tracer.run(span, work);
    span.end(result.isOk ? null : result.failure.code);
    return result;
  }

  return {
    ...providers,
    chat: {
      ...chat,
      complete: (channel, body, isNative) =>
        call(channel, () => chat.complete(channel, body, isNative)),
      stream(channel, body, listener, isNative) {
        const request = tracer.current;
        const span = begin(channel);
        if (request === undefined || span === undefined)
          return chat.stream(channel, body, listener, isNative);
        return tracer.run(span, () =>
          chat.stream(channel, body, new TracedStream(tracer, listener, request, span), isNative),
        );
      },
    },
    image: { generate: (channel, order) => call(channel, () => image.generate(channel, order)) },
    video: {
      ...video,
      submit: (channel, order) => call(channel, () => video.submit(channel, order)),
    },
  };
}
