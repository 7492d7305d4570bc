/** What the chat protocols share: a channel's target, and the calls to it. */
import { streamsFromAnswer } from "../../contract/channel-profile";
import type { InlineImages } from "../../json/inline-images";
import { identityAsked } from "../../net/content-coding";
import type { Channel, ChatProvider, ChatResult, JsonObject, UpstreamFailure } from "../provider";
import type { FlowDeadlines } from "./answer-flow";
import { createCalls, type Traceparent } from "./calls";
import type { AnswerReader, Exchange } from "./exchange";
import { withExtraHeaders } from "./extra-headers";
import { createPools, type Place } from "./pools";
import { splicedBody } from "./spliced-body";
import { type EventReader, PlainOrStream, StreamCall } from "./stream-call";
import { StreamedAnswer } from "./streamed-answer";
import { WholeAnswer } from "./whole-answer";

/**
 * How long an upstream may be silent before and during an answer: models reason before they answer.
 */
const FIRST_BYTE_MS = 300_000;
const IDLE_MS = 60_000;
const TOTAL_MS = 1_800_000;
const DETACHED_MS = 600_000;
const CONNECTIONS_MAX = 1024;

/** What all requests of a channel have in common. */
interface Target {
  readonly place: Place;
  readonly plainHeaders: string[];
  readonly streamHeaders: string[];
  readonly deadlines: FlowDeadlines;
}

/**
 * The bounds on silence are the same for all channels. A channel's own timeout bounds the whole
 * answer.
 */
export function deadlinesOf(
  timeoutSeconds: number | null,
  silence: SilenceDeadlines = { firstByteMs: FIRST_BYTE_MS, idleMs: IDLE_MS },
): FlowDeadlines {
  const totalMs = timeoutSeconds === null ? TOTAL_MS : timeoutSeconds * 1000;
  return {
    firstByteMs: Math.min(silence.firstByteMs, totalMs),
    idleMs: Math.min(silence.idleMs, totalMs),
    totalMs,
    detachedMs: Math.min(DETACHED_MS, totalMs),
  };
}

export type SilenceDeadlines = Pick<FlowDeadlines, "firstByteMs" | "idleMs">;

export interface ChatProviderOptions {
  /** PEM certificates to trust in addition. Verification itself cannot be switched off. */
  readonly certificates?: string;
  readonly traceparent?: Traceparent | undefined;
  /** The bounds on silence; absent means the defaults. */
  readonly silence?: SilenceDeadlines | undefined;
}

/** What a call is built of. */
type CallParts = readonly [FlowDeadlines, (exchange: Exchange) => void];

export interface ChatWire {
  /** Relative to the channel's base URL. */
  readonly path: string;
  /** Names and values, alternating: what the protocol sends with a channel's key. */
  headersOf(channel: Channel): string[];
  /** The text that is sent for a request. */
  encode(body: string, isNative: boolean): string;
  plain(
    parts: CallParts,
    resolve: (result: ChatResult) => void,
    isNative: boolean,
  ): AnswerReader & { readonly exchange: Exchange };
  /** Reads the events of one stream. */
  openReader(isNative: boolean): EventReader;
  /** Makes an answer of the events that are told of a native stream. */
  bodyOfEvents?(events: readonly JsonObject[]): JsonObject;
}

export function createChatCalls(wire: ChatWire, options: ChatProviderOptions): ChatProvider {
  const pools = createPools(CONNECTIONS_MAX, options.certificates);
  const calls = createCalls();
  const targets = new WeakMap<Channel, Target>();

  function targetOf(channel: Channel): Target {
    const known = targets.get(channel);
    if (known) return known;
    const own = ["content-type", "application/json", "user-agent", "relay", ...identityAsked];
    const common = withExtraHeaders([...own, ...wire.headersOf(channel)], channel);
    const target: Target = {
      place: pools.placeOf(channel, wire.path),
      plainHeaders: [...common, "accept", "application/json"],
      streamHeaders: [...common, "accept", "text/event-stream"],
      deadlines: deadlinesOf(channel.timeoutSeconds, options.silence),
    };
    targets.set(channel, target);
    return target;
  }

  function send(
    { place }: Target,
    given: string[],
    text: string,
    images: InlineImages | undefined,
    exchange: Exchange,
  ): void {
    const parent = options.traceparent?.();
    const headers = parent === undefined ? given : [...given, "traceparent", parent];
    calls.send(place, { method: "POST", ...splicedBody(text, images, headers) }, exchange);
  }

  const complete: ChatProvider["complete"] = (channel, body, isNative = false, images) =>
    new Promise((resolve) => {
      const target = targetOf(channel);
      const parts: CallParts = [target.deadlines, calls.onClosed];
      const call = wire.plain(parts, resolve, isNative);
      const { exchange } = call;
      exchange.reader = new PlainOrStream(exchange, call, () => {
        const firstByteMs = exchange.timer.elapsedMs(performance.now());
        const bodyOfEvents = (isNative && wire.bodyOfEvents) || null;
        const fail = (failure: UpstreamFailure) => exchange.fail(failure);
        const whole = new WholeAnswer(firstByteMs, resolve, fail, bodyOfEvents);
        return new StreamCall(...parts, whole, wire.openReader(isNative), exchange);
      });
      send(target, target.plainHeaders, wire.encode(body, isNative), images, call.exchange);
    });

  return {
    complete,
    stream(channel, body, listener, isNative = false, images) {
      if (streamsFromAnswer(channel))
        return new StreamedAnswer(complete(channel, body, false, images), listener);
      const target = targetOf(channel);
      const reader = wire.openReader(isNative);
      const call = new StreamCall(target.deadlines, calls.onClosed, listener, reader);
      send(target, target.streamHeaders, wire.encode(body, isNative), images, call.exchange);
      return call.flow;
    },
    abortAll: calls.abortAll,
    async close() {
      calls.close();
      await pools.close();
    },
  };
}
