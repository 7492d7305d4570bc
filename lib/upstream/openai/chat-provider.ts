/** Chat over HTTP with any OpenAI-compatible server. */
import { Pool } from "undici";
import { upstreamConnector } from "../../net/connect-upstream";
import type { Channel, ChatProvider, ChatStreamListener } from "../provider";
import { failureOf } from "../transport/failure";
import type { LongDeadlines } from "./long-call";
import { PlainCall } from "./plain-call";
import { StreamCall } from "./stream-call";
import type { UpstreamCall } from "./upstream-call";

/** The silence that is waited for: models think before they answer, and pause less while they do. */
const FIRST_BYTE_MS = 300_000;
const IDLE_MS = 60_000;
const TOTAL_MS = 1_800_000;
const DETACHED_MS = 600_000;
const CONNECT_MS = 10_000;
const CHECK_MS = 250;
const CONNECTIONS_MAX = 1024;

/** What is the same for every request of a channel. */
interface Target {
  readonly pool: Pool;
  readonly path: string;
  readonly plainHeaders: string[];
  readonly streamHeaders: string[];
  readonly deadlines: LongDeadlines;
}

/** Silence is bounded for all alike; a channel's own number bounds an answer as a whole. */
export function deadlinesOf(
  timeoutSeconds: number | null,
  silence: Silence = { firstByteMs: FIRST_BYTE_MS, idleMs: IDLE_MS },
): LongDeadlines {
  const totalMs = timeoutSeconds === null ? TOTAL_MS : timeoutSeconds * 1000;
  return {
    firstByteMs: Math.min(silence.firstByteMs, totalMs),
    idleMs: Math.min(silence.idleMs, totalMs),
    totalMs,
    detachedMs: Math.min(DETACHED_MS, totalMs),
  };
}

export type Silence = Pick<LongDeadlines, "firstByteMs" | "idleMs">;

export interface ChatProviderOptions {
  /** Extra certificates to trust, PEM. Verification itself cannot be switched off. */
  readonly certificates?: string;
  /** The `traceparent` of the call that is made now. */
  readonly traceparent?: Traceparent;
  /** How long silence is waited for; absent: as long as models need. */
  readonly silence?: Silence;
}

export type Traceparent = () => string | undefined;

export function createOpenAiChat(options: ChatProviderOptions = {}): ChatProvider {
  const pools = new Map<string, Pool>();
  const targets = new WeakMap<Channel, Target>();
  const calls = new Set<UpstreamCall>();
  const onClosed = (call: UpstreamCall) => {
    calls.delete(call);
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const call of calls) call.check(now);
  }, CHECK_MS);
  timer.unref();

  function poolFor(origin: string): Pool {
    let pool = pools.get(origin);
    if (!pool) {
      const connect = upstreamConnector({ timeout: CONNECT_MS, ...(options.certificates ? { ca: options.certificates } : {}) });
      // The deadlines are ours; undici's own timers stay off.
      pool = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: 0, bodyTimeout: 0, connect });
      pools.set(origin, pool);
    }
    return pool;
  }

  function targetOf(channel: Channel): Target {
    const known = targets.get(channel);
    if (known) return known;
    const base = new URL(channel.baseUrl);
    const common = ["content-type", "application/json", "user-agent", "relay"];
    // The credential goes to the channel's own origin only: a pool knows one origin and follows no redirect.
    if (channel.apiKey !== null) common.push("authorization", `Bearer ${channel.apiKey}`);
    const target: Target = {
      pool: poolFor(base.origin),
      path: `${base.pathname.replace(/\/$/, "")}/chat/completions${base.search}`,
      plainHeaders: [...common, "accept", "application/json"],
      streamHeaders: [...common, "accept", "text/event-stream"],
      deadlines: deadlinesOf(channel.timeoutSeconds, options.silence),
    };
    targets.set(channel, target);
    return target;
  }

  function send(target: Target, given: string[], body: string, call: UpstreamCall): void {
    calls.add(call);
    const parent = options.traceparent?.();
    const headers = parent === undefined ? given : [...given, "traceparent", parent];
    try {
      target.pool.dispatch({ method: "POST", path: target.path, headers, body }, call);
    } catch (error) {
      calls.delete(call);
      call.fail(failureOf("upstream_failed", String(error), { isSurelyFree: true }));
    }
  }

  return {
    complete(channel, body) {
      return new Promise((resolve) => {
        const target = targetOf(channel);
        send(target, target.plainHeaders, body, new PlainCall(target.deadlines, onClosed, resolve));
      });
    },
    stream(channel: Channel, body: string, listener: ChatStreamListener) {
      const target = targetOf(channel);
      const call = new StreamCall(target.deadlines, onClosed, listener);
      send(target, target.streamHeaders, body, call);
      return call;
    },
    abortAll() {
      for (const call of calls) call.stop(failureOf("upstream_failed", "stopped by us", { mayHaveCost: true }));
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
