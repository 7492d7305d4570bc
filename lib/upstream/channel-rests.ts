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

export interface ChannelRests {
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

function rest(own: Health, now: number, isBusy = false): void {
  // Requests that ran in parallel and failed together cause one rest.
  if (own.restsUntil > now) return;
  own.restsUntil = now + Math.min(REST_MS * 2 ** Math.min(own.rests, 16), REST_MS_MAX);
  if (!isBusy) own.rests++;
}

/** An order that the channel cannot take, though another one may, is no trouble of the channel. */
const isTrouble = ({ code, isSurelyFree, isOperatorFault }: UpstreamFailure) =>
  code !== "invalid_value" && (isSurelyFree || isOperatorFault || code === "upstream_timeout");

export function createChannelRests(clock: () => number): ChannelRests {
  const health = new Map<string, Health>();

  function healthOf(id: string): Health {
    let own = health.get(id);
    if (!own) {
      own = {
        restsUntil: 0,
        rests: 0,
        usageFaults: 0,
        usageRestsUntil: 0,
        overBounds: 0,
        overBoundAt: 0,
        overBoundRestsUntil: 0,
      };
      health.set(id, own);
    }
    return own;
  }

  return {
    report(channel, failure) {
      if (failure === null) {
        const own = health.get(channel.id);
        if (own) own.restsUntil = own.rests = 0;
      } else if (isTrouble(failure)) {
        rest(healthOf(channel.id), clock(), failure.code === "upstream_concurrency_exceeded");
      }
    },
    reportUsage(channel, isBillable) {
      const known = health.get(channel.id);
      if (isBillable) {
        if (known) known.usageFaults = known.usageRestsUntil = 0;
        return false;
      }
      const own = known ?? healthOf(channel.id);
      if (++own.usageFaults < USAGE_FAULTS_MAX) return false;
      const isNew = own.usageRestsUntil <= clock();
      own.usageRestsUntil = clock() + USAGE_REST_MS;
      return isNew;
    },
    reportOverBound(channel) {
      const own = healthOf(channel.id);
      if (clock() - own.overBoundAt > OVER_BOUND_KEPT_MS) own.overBounds = 0;
      own.overBoundAt = clock();
      if (++own.overBounds < OVER_BOUND_MAX) return false;
      const isNew = own.overBoundRestsUntil <= clock();
      own.overBoundRestsUntil = clock() + OVER_BOUND_REST_MS;
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
