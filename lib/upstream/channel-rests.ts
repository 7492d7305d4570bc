/**
 * Decides which channels rest, and for how long: after failures, answers without usage, and usage
 * beyond its bound.
 */
import type { Channel, UpstreamFailure } from "./provider";

const REST_MS = 10_000;
/**
 * A rest that did not help is followed by one of twice its length, up to this. A channel that is
 * only busy rests equally long each time.
 */
const REST_MS_MAX = 300_000;
/**
 * After this many answers in a row without usage the channel rests. Each further one prolongs the
 * rest; only an answer that can be billed ends it.
 */
const USAGE_FAULTS_MAX = 3;
const USAGE_REST_MS = 300_000;
/**
 * This many answers within a day whose usage exceeded their bound make a channel rest; from then on
 * it is held for at the model's maximum.
 */
const OVER_BOUND_MAX = 3;
const OVER_BOUND_REST_MS = 300_000;
const OVER_BOUND_KEPT_MS = 86_400_000;
const TELL_EVERY_MS = 1000;

/** What happened at a channel, as the workers of one machine tell each other. */
export interface ChannelEvent {
  readonly channelId: string;
  readonly what: "trouble" | "busy" | "answer" | "no_usage" | "usage" | "over_bound";
}

export interface ChannelRests {
  /** Takes note of what happened in another worker. */
  hear(event: ChannelEvent): void;
  /** Reports the result of an attempt; null means that the upstream answered. */
  report(channel: Channel, failure: UpstreamFailure | null): void;
  /**
   * Reports whether an answer had usage that can be billed. True when the channel starts to rest
   * because several in a row had none.
   */
  reportUsage(channel: Channel, isBillable: boolean): boolean;
  /**
   * Reports an answer whose usage exceeded its bound. True when the channel starts to rest for it.
   */
  reportOverBound(channel: Channel): boolean;
  /**
   * False when the channel's usage has exceeded its bound too often of late, so the output cap
   * bounds nothing there.
   */
  keepsBound(channelId: string): boolean;
  /** False after several answers in a row without usage, until one has it. */
  givesUsage(channelId: string): boolean;
  /** For how many milliseconds a channel still rests; 0 when it does not. */
  restOf(channelId: string): number;
}

interface Health {
  restsUntil: number;
  /** Rests since the last successful answer. */
  rests: number;
  usageFaults: number;
  usageRestsUntil: number;
  /**
   * How often the bound was exceeded, last at `overBoundAt`. A successful answer does not end a
   * rest for this.
   */
  overBounds: number;
  overBoundAt: number;
  overBoundRestsUntil: number;
}

/** False when the channel rests already. */
function rest(own: Health, now: number, isBusy: boolean): boolean {
  // Requests that ran in parallel and failed together cause one rest.
  if (own.restsUntil > now) return false;
  own.restsUntil = now + Math.min(REST_MS * 2 ** Math.min(own.rests, 16), REST_MS_MAX);
  if (!isBusy) own.rests++;
  return true;
}

/** True when the channel starts to rest for it. */
function noteUsageFault(own: Health, now: number): boolean {
  if (++own.usageFaults < USAGE_FAULTS_MAX) return false;
  const isNew = own.usageRestsUntil <= now;
  own.usageRestsUntil = now + USAGE_REST_MS;
  return isNew;
}

/** True when the channel starts to rest for it. */
function noteOverBound(own: Health, now: number): boolean {
  if (now - own.overBoundAt > OVER_BOUND_KEPT_MS) own.overBounds = 0;
  own.overBoundAt = now;
  if (++own.overBounds < OVER_BOUND_MAX) return false;
  const isNew = own.overBoundRestsUntil <= now;
  own.overBoundRestsUntil = now + OVER_BOUND_REST_MS;
  return isNew;
}

/** An order that the channel cannot take, though another one may, is no trouble of the channel. */
const isTrouble = ({ code, isSurelyFree, isOperatorFault }: UpstreamFailure) =>
  code !== "invalid_value" && (isSurelyFree || isOperatorFault || code === "upstream_timeout");

const newHealth = (): Health => ({
  restsUntil: 0,
  rests: 0,
  usageFaults: 0,
  usageRestsUntil: 0,
  overBounds: 0,
  overBoundAt: 0,
  overBoundRestsUntil: 0,
});

function hearInto(own: Health, what: ChannelEvent["what"], now: number): void {
  if (what === "trouble" || what === "busy") rest(own, now, what === "busy");
  if (what === "answer") own.restsUntil = own.rests = 0;
  if (what === "no_usage") noteUsageFault(own, now);
  if (what === "usage") own.usageFaults = own.usageRestsUntil = 0;
  if (what === "over_bound") noteOverBound(own, now);
}

/** What is told again and again while a channel rests for it is told once in a while. */
function tellSparingly(clock: () => number, tell: (event: ChannelEvent) => void) {
  const toldAt = new Map<string, number>();
  return (event: ChannelEvent) => {
    const name = `${event.what} ${event.channelId}`;
    if (clock() - (toldAt.get(name) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    toldAt.set(name, clock());
    tell(event);
  };
}

/** `tell` is called with what other workers should know: only with what changes their choice. */
export function createChannelRests(
  clock: () => number,
  tell: (event: ChannelEvent) => void = () => {},
): ChannelRests {
  const health = new Map<string, Health>();
  const tellNowAndThen = tellSparingly(clock, tell);

  function healthOf(id: string): Health {
    const own = health.get(id) ?? newHealth();
    health.set(id, own);
    return own;
  }

  return {
    report(channel, failure) {
      if (failure === null) {
        const own = health.get(channel.id);
        if (!own || (own.restsUntil === 0 && own.rests === 0)) return;
        own.restsUntil = own.rests = 0;
        tell({ channelId: channel.id, what: "answer" });
      } else if (isTrouble(failure)) {
        const isBusy = failure.code === "upstream_concurrency_exceeded";
        if (rest(healthOf(channel.id), clock(), isBusy))
          tell({ channelId: channel.id, what: isBusy ? "busy" : "trouble" });
      }
    },
    hear: ({ channelId, what }) => hearInto(healthOf(channelId), what, clock()),
    reportUsage(channel, isBillable) {
      const known = health.get(channel.id);
      if (isBillable) {
        if (!known || known.usageFaults === 0) return false;
        known.usageFaults = known.usageRestsUntil = 0;
        tell({ channelId: channel.id, what: "usage" });
        return false;
      }
      const own = known ?? healthOf(channel.id);
      const isNew = noteUsageFault(own, clock());
      const event = { channelId: channel.id, what: "no_usage" } as const;
      if (own.usageFaults <= USAGE_FAULTS_MAX) tell(event);
      else tellNowAndThen(event);
      return isNew;
    },
    reportOverBound(channel) {
      const own = healthOf(channel.id);
      const isNew = noteOverBound(own, clock());
      const event = { channelId: channel.id, what: "over_bound" } as const;
      if (own.overBounds <= OVER_BOUND_MAX) tell(event);
      else tellNowAndThen(event);
      return isNew;
    },
    keepsBound(channelId) {
      const own = health.get(channelId);
      return (
        !own || own.overBounds < OVER_BOUND_MAX || clock() - own.overBoundAt > OVER_BOUND_KEPT_MS
      );
    },
    givesUsage: (channelId) => (health.get(channelId)?.usageFaults ?? 0) < USAGE_FAULTS_MAX,
    restOf(channelId) {
      const own = health.get(channelId);
      if (!own) return 0;
      const until = Math.max(own.restsUntil, own.usageRestsUntil, own.overBoundRestsUntil);
      return Math.max(0, until - clock());
    },
  };
}
