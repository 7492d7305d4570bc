/** Chat over HTTP with any OpenAI-compatible server. */
import { Pool } from "undici";
import type { Channel, ChatProvider, ChatStreamListener } from "../provider";
import { failureOf } from "./failure-map";
import { PlainCall } from "./plain-call";
import { StreamCall } from "./stream-call";
import type { CallDeadlines, UpstreamCall } from "./upstream-call";

const FIRST_BYTE_MS = 60_000;
const IDLE_MS = 60_000;
const TOTAL_MS = 600_000;
const CONNECT_MS = 10_000;
const CHECK_MS = 250;
const CONNECTIONS_MAX = 1024;

/** What is the same for every request of a channel. */
interface Target {
  readonly pool: Pool;
  readonly path: string;
  readonly plainHeaders: string[];
  readonly streamHeaders: string[];
  readonly plainDeadlines: CallDeadlines;
  readonly streamDeadlines: CallDeadlines;
}

/** A channel's own number bounds the first byte, each gap, and a plain answer as a whole. */
function deadlinesOf(timeoutSeconds: number | null, isStream: boolean): CallDeadlines {
  if (timeoutSeconds === null) return { firstByteMs: FIRST_BYTE_MS, idleMs: IDLE_MS, totalMs: TOTAL_MS };
  const own = timeoutSeconds * 1000;
  return { firstByteMs: own, idleMs: own, totalMs: isStream ? Math.max(own, TOTAL_MS) : own };
}

export interface ChatProviderOptions {
  /** Extra certificates to trust, PEM. Verification itself cannot be switched off. */
  readonly certificates?: string;
  /** The `traceparent` of the call that is made now. */
  readonly traceparent?: Traceparent;
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
      const connect = { timeout: CONNECT_MS, ...(options.certificates ? { ca: options.certificates } : {}) };
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
      plainDeadlines: deadlinesOf(channel.timeoutSeconds, false),
      streamDeadlines: deadlinesOf(channel.timeoutSeconds, true),
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
        send(target, target.plainHeaders, body, new PlainCall(target.plainDeadlines, onClosed, resolve));
      });
    },
    stream(channel: Channel, body: string, listener: ChatStreamListener) {
      const target = targetOf(channel);
      const call = new StreamCall(target.streamDeadlines, onClosed, listener);
      send(target, target.streamHeaders, body, call);
      return call;
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
