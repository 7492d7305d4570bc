/** Which channel serves a request: by priority, then by weight, skipping those over their limits or resting after trouble. */
import { RelayError } from "../errors";
import type { ChannelLimiter } from "../limits/channel-limiter";
import type { Channel, UpstreamFailure } from "./provider";

const REST_MS = 10_000;
/** So many answers in a row without usage make a channel rest. */
const USAGE_FAULTS_MAX = 3;

export interface Chooser {
  /**
   * Picks a channel for a model, not among `tried`, and counts the request against its limits. Throws
   * `no_channel_available`, or `upstream_concurrency_exceeded` when all that are there are over their limits.
   */
  pick(model: string, tried: readonly Channel[]): Channel;
  /** The picked channel was not used after all. */
  giveBack(channel: Channel): void;
  /** What an attempt came to; null: it answered. */
  report(channel: Channel, failure: UpstreamFailure | null): void;
  /** Whether an answer came with usage that can be billed. */
  reportUsage(channel: Channel, isBillable: boolean): void;
}

export interface ChooserParts {
  readonly channelsFor: (model: string) => readonly Channel[];
  readonly limiter: ChannelLimiter;
  readonly clock?: () => number;
  readonly random?: () => number;
}

interface Health {
  restsUntil: number;
  usageFaults: number;
}

/** A random order in which each channel's chance to come first is its share of the weights; the higher priority first. */
function shuffled(channels: readonly Channel[], random: () => number): readonly Channel[] {
  if (channels.length < 2) return channels;
  const drawn = channels.map((channel) => ({ channel, key: -Math.log(1 - random()) / Math.max(1, channel.weight) }));
  return drawn.sort((one, other) => other.channel.priority - one.channel.priority || one.key - other.key).map(({ channel }) => channel);
}

export function createChooser({ channelsFor, limiter, clock = () => performance.now(), random = Math.random }: ChooserParts): Chooser {
  const health = new Map<string, Health>();

  function healthOf(id: string): Health {
    let own = health.get(id);
    if (!own) {
      own = { restsUntil: 0, usageFaults: 0 };
      health.set(id, own);
    }
    return own;
  }

  function isResting(channel: Channel): boolean {
    const own = health.get(channel.id);
    return own !== undefined && own.restsUntil > clock();
  }

  return {
    pick(model, tried) {
      const offered = channelsFor(model);
      const left = tried.length === 0 ? offered : offered.filter((channel) => !tried.some(({ id }) => id === channel.id));
      if (left.length === 0) throw new RelayError("no_channel_available", { retryAfterSeconds: 5 });
      // One that rests is better than none.
      const awake = left.length === 1 ? left : left.filter((channel) => !isResting(channel));
      let wait = Number.POSITIVE_INFINITY;
      for (const channel of shuffled(awake.length > 0 ? awake : left, random)) {
        const own = limiter.take(channel);
        if (own === 0) return channel;
        wait = Math.min(wait, own);
      }
      throw new RelayError("upstream_concurrency_exceeded", { retryAfterSeconds: Math.ceil(wait / 1000) });
    },
    giveBack(channel) {
      limiter.giveBack(channel);
    },
    report(channel, failure) {
      if (failure === null) {
        const own = health.get(channel.id);
        if (own) own.restsUntil = 0;
      } else if (failure.isSurelyFree || failure.isOperatorFault || failure.code === "upstream_timeout") {
        healthOf(channel.id).restsUntil = clock() + REST_MS;
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
      own.restsUntil = clock() + REST_MS;
    },
  };
}
