/** One JSON request and its JSON answer, bounded in time and size; for tasks and images. */
import { Readable } from "node:stream";
import { Pool } from "undici";
import type { InlineImages } from "../../http/inline-images";
import { upstreamConnector } from "../../net/connect-upstream";
import type { LongStrings } from "../images/long-strings";
import { type CallDeadlines, UpstreamCall } from "../openai/upstream-call";
import type { Channel, JsonObject, UpstreamFailure } from "../provider";
import { failureOf } from "./failure";
import { errorCodeOf, failureOfMediaStatus } from "./media-failure";
import { parseUpstreamObject } from "./upstream-json";

const CONNECT_MS = 10_000;
const CHECK_MS = 250;
const CONNECTIONS_MAX = 256;

export interface JsonRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the channel's base URL, such as `/images/generations`. */
  readonly path: string;
  readonly body?: JsonObject;
  /** What addresses in the body only stand in for. */
  readonly inlineImages?: InlineImages;
  /** Sent along for the upstream's logs, and by which it may know a repeated order. */
  readonly reference?: string;
  readonly deadlineMs: number;
  readonly answerBytesMax: number;
  /** Of the answer; absent: it is short, and parsed as it came. */
  readonly longStrings?: LongStrings;
}

export type JsonAnswer =
  /** `body` is null when the answer was empty. */
  | { readonly isOk: true; readonly body: JsonObject | null }
  /** `status` 0: no HTTP answer came. `errorCode`: the upstream's own, or "". */
  | { readonly isOk: false; readonly status: number; readonly errorCode: string; readonly failure: UpstreamFailure };

/** Neither call rejects or throws. */
export interface JsonCaller {
  call(channel: Channel, request: JsonRequest): Promise<JsonAnswer>;
  /** Ends every call that still runs, as failed. */
  abortAll(): void;
  close(): Promise<void>;
}

class JsonCall extends UpstreamCall {
  #errorCode = "";
  #answerBytes = 0;

  constructor(
    deadlines: CallDeadlines,
    onClosed: (call: UpstreamCall) => void,
    readonly answerBytesMax: number,
    readonly isWork: boolean,
    readonly longStrings: LongStrings | undefined,
    readonly resolve: (answer: JsonAnswer) => void,
  ) {
    super(deadlines, onClosed);
  }

  protected override refusal(status: number, body: string): UpstreamFailure {
    this.#errorCode = errorCodeOf(body);
    return failureOfMediaStatus(status, body);
  }

  protected onFailure(failure: UpstreamFailure): void {
    const free = this.isWork ? failure : { ...failure, mayHaveCost: false };
    this.resolve({ isOk: false, status: this.status, errorCode: this.#errorCode, failure: free });
  }

  protected onBegin(): void {
    this.hasBegun = true;
    this.lastProgressAt = performance.now();
  }

  protected onBytes(chunk: Buffer): void {
    this.lastProgressAt = performance.now();
    if (!this.#keep(chunk)) this.fail(failureOf("upstream_bad_response", "body too large", { mayHaveCost: true }));
  }

  #keep(chunk: Buffer): boolean {
    if (this.longStrings === undefined) return this.collect(chunk, this.answerBytesMax);
    this.#answerBytes += chunk.length;
    return this.#answerBytes <= this.answerBytesMax && this.longStrings.push(chunk);
  }

  protected onClean(): void {
    const text = this.longStrings?.text() ?? this.collected();
    const body = parseUpstreamObject(text);
    if (body === null && text.trim() !== "") {
      this.fail(failureOf("upstream_bad_response", "not a JSON object", { mayHaveCost: true }));
      return;
    }
    this.finish();
    this.resolve({ isOk: true, body });
  }
}

/** The body as it is sent; one with images in it goes piece by piece, its length told in `headers`. */
function bodyOf({ body, inlineImages }: JsonRequest, headers: string[]): string | Readable | null {
  if (!body) return null;
  const text = JSON.stringify(body);
  if (inlineImages === undefined) return text;
  const { byteLength, pieces } = inlineImages.spliceInto(text);
  headers.push("content-length", String(byteLength));
  return Readable.from(pieces, { objectMode: false });
}

export function createJsonCaller(traceparent?: () => string | undefined): JsonCaller {
  const pools = new Map<string, Pool>();
  const calls = new Set<UpstreamCall>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const call of calls) call.check(now);
  }, CHECK_MS);
  timer.unref();

  function poolFor(origin: string): Pool {
    let pool = pools.get(origin);
    if (!pool) {
      // The deadlines are ours; undici's own timers stay off. A pool follows no redirect.
      const connect = upstreamConnector({ timeout: CONNECT_MS });
      pool = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: 0, bodyTimeout: 0, connect });
      pools.set(origin, pool);
    }
    return pool;
  }

  function headersOf(channel: Channel, request: JsonRequest): string[] {
    const headers = ["accept", "application/json", "user-agent", "relay"];
    if (request.body) headers.push("content-type", "application/json");
    const parent = traceparent?.();
    if (parent !== undefined) headers.push("traceparent", parent);
    if (channel.apiKey !== null) headers.push("authorization", `Bearer ${channel.apiKey}`);
    if (request.reference !== undefined) headers.push("x-client-request-id", request.reference, "idempotency-key", request.reference);
    return headers;
  }

  return {
    call(channel, request) {
      return new Promise((resolve) => {
        const ms = channel.timeoutSeconds === null ? request.deadlineMs : channel.timeoutSeconds * 1000;
        const deadlines = { firstByteMs: ms, idleMs: ms, totalMs: ms };
        const call = new JsonCall(
          deadlines,
          (closed) => void calls.delete(closed),
          request.answerBytesMax,
          request.method === "POST",
          request.longStrings,
          resolve,
        );
        calls.add(call);
        try {
          const base = new URL(channel.baseUrl);
          const path = `${base.pathname.replace(/\/$/, "")}${request.path}${base.search}`;
          const headers = headersOf(channel, request);
          const body = bodyOf(request, headers);
          poolFor(base.origin).dispatch({ method: request.method, path, headers, body }, call);
        } catch (error) {
          calls.delete(call);
          call.fail(failureOf("upstream_failed", String(error), { isSurelyFree: true }));
        }
      });
    },
    abortAll() {
      for (const call of calls) call.fail(failureOf("upstream_failed", "stopped by us", { mayHaveCost: true }));
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
