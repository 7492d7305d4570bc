/** Which channels rest after trouble, and for how long: failures, answers without usage, and usage beyond what was held. */
import type { Channel, UpstreamFailure } from "./provider";

const REST_MS = 10_000;
/** Each rest that did not help is followed by one of twice its length, up to this; an upstream that is only busy rests no longer each time. */
const REST_MS_MAX = 300_000;
/** So many answers in a row without usage make a channel rest. */
const USAGE_FAULTS_MAX = 3;
/** So many answers within a day whose usage passed what was held for them make a channel rest so long, and be held for at its most. */
const OVER_BOUND_MAX = 3;
const OVER_BOUND_REST_MS = 300_000;
const OVER_BOUND_KEPT_MS = 86_400_000;

export interface ChannelRests {
  /** What an attempt came to; null: it answered. */
  report(channel: Channel, failure: UpstreamFailure | null): void;
  /** Whether an answer came with usage that can be billed. */
  reportUsage(channel: Channel, isBillable: boolean): void;
  /** An answer's usage passed what was held for it; true: the channel rests for it from now on. */
  reportOverBound(channel: Channel): boolean;
  /** False: the channel's usage passed its bound too often of late, so the cap sent to it binds nothing. */
  keepsBound(channelId: string): boolean;
  /** The milliseconds for which a channel still rests, by its id; 0: it does not. */
  restOf(channelId: string): number;
}

interface Health {
  restsUntil: number;
  /** Rests since the last answer. */
  rests: number;
  usageFaults: number;
  /** Passed bounds, the last at `overBoundAt`; a rest for them is ended by no answer. */
  overBounds: number;
  overBoundAt: number;
  overBoundRestsUntil: number;
}

function rest(own: Health, now: number, isBusy = false): void {
  // Requests that ran together fail together: they make one rest.
  if (own.restsUntil > now) return;
  own.restsUntil = now + Math.min(REST_MS * 2 ** Math.min(own.rests, 16), REST_MS_MAX);
  if (!isBusy) own.rests++;
}

export function createChannelRests(clock: () => number): ChannelRests {
  const health = new Map<string, Health>();

  function healthOf(id: string): Health {
    let own = health.get(id);
    if (!own) {
      own = { restsUntil: 0, rests: 0, usageFaults: 0, overBounds: 0, overBoundAt: 0, overBoundRestsUntil: 0 };
      health.set(id, own);
    }
    return own;
  }

  return {
    report(channel, failure) {
      if (failure === null) {
        const own = health.get(channel.id);
        if (own) own.restsUntil = own.rests = 0;
      } else if (failure.isSurelyFree || failure.isOperatorFault || failure.code === "upstream_timeout") {
        rest(healthOf(channel.id), clock(), failure.code === "upstream_concurrency_exceeded");
      }
    },
    reportUsage(channel, isBillable) {
      const known = health.get(channel.id);
      if (isBillable) {
        if (known) known.usageFaults = 0;
        return;
      }
      const own = known ?? healthOf(channel.id);
      if (++own.usageFaults < USAGE_FAULTS_MAX) return;
      own.usageFaults = 0;
      rest(own, clock());
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
      return !own || own.overBounds < OVER_BOUND_MAX || clock() - own.overBoundAt > OVER_BOUND_KEPT_MS;
    },
    restOf(channelId) {
      const own = health.get(channelId);
      return own ? Math.max(0, Math.max(own.restsUntil, own.overBoundRestsUntil) - clock()) : 0;
    },
  };
}
