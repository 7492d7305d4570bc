/**
 * Chooses the channel for a request: by priority, then by weight. Skips channels that are over
 * their limits, and puts those that rest after failures last.
 */
import { RelayError } from "../errors";
import type { ChannelLimiter } from "../limits/channel-limiter";
import type { Channel, UpstreamFailure } from "./provider";

const REST_MS = 10_000;
/**
 * A rest that did not help is followed by one of twice its length, up to this. A channel that is
 * only busy rests equally long each time.
 */
const REST_MS_MAX = 300_000;
/** This many answers in a row without usage make a channel rest. */
const USAGE_FAULTS_MAX = 3;
/**
 * This many answers within a day whose usage exceeded their bound make a channel rest; from then on
 * it is held for at the model's maximum.
 */
const OVER_BOUND_MAX = 3;
const OVER_BOUND_REST_MS = 300_000;
const OVER_BOUND_KEPT_MS = 86_400_000;

export interface Chooser {
  /**
   * Picks a channel for a model, not among `tried`, and counts the request against its limits.
   * Throws `no_channel_available`, or `upstream_concurrency_exceeded` when all remaining channels
   * are over their limits. Answers without a promise when the limits are in this process's memory.
   */
  pick(model: string, tried: readonly Channel[]): Channel | Promise<Channel>;
  /** Uncounts a request: the picked channel was not used. */
  giveBack(channel: Channel): void;
  /** Reports the result of an attempt; null means that the upstream answered. */
  report(channel: Channel, failure: UpstreamFailure | null): void;
  /** Reports whether an answer had usage that can be billed. */
  reportUsage(channel: Channel, isBillable: boolean): void;
  /**
   * Reports an answer whose usage exceeded its bound. True when the channel starts to rest for it.
   */
  reportOverBound(channel: Channel): boolean;
  /**
   * False when the channel's usage has exceeded its bound too often of late, so the output cap
   * bounds nothing there.
   */
  keepsBound(channelId: string): boolean;
  /** The channels that may serve a model. */
  offered(model: string): readonly Channel[];
  /** For how many milliseconds a channel still rests; 0 when it does not. */
  restOf(channelId: string): number;
}

export interface ChooserParts {
  readonly channelsFor: (model: string) => readonly Channel[];
  readonly limiter: ChannelLimiter;
  readonly clock?: () => number;
  readonly random?: () => number;
}

interface Health {
  restsUntil: number;
  /** Rests since the last successful answer. */
  rests: number;
  usageFaults: number;
  /**
   * How often the bound was exceeded, last at `overBoundAt`. A successful answer does not end a
   * rest for this.
   */
  overBounds: number;
  overBoundAt: number;
  overBoundRestsUntil: number;
}

/**
 * A random order, the highest priority first. Among equals, a channel's chance to be first is its
 * share of the weights.
 */
function shuffled(channels: readonly Channel[], random: () => number): readonly Channel[] {
  if (channels.length < 2) return channels;
  const drawn = channels.map((channel) => ({ channel, key: -Math.log(1 - random()) / Math.max(1, channel.weight) }));
  return drawn.sort((one, other) => other.channel.priority - one.channel.priority || one.key - other.key).map(({ channel }) => channel);
}

/** The first channel that is within its limits. `wait` is the shortest wait of those before it. */
function firstWithin(limiter: ChannelLimiter, channels: readonly Channel[], wait: number): Channel | Promise<Channel> {
  let shortest = wait;
  for (const [index, channel] of channels.entries()) {
    const own = limiter.take(channel);
    if (own === 0) return channel;
    if (own instanceof Promise) {
      const rest = channels.slice(index + 1);
      return own.then((later) => (later === 0 ? channel : firstWithin(limiter, rest, Math.min(shortest, later))));
    }
    shortest = Math.min(shortest, own);
  }
  throw new RelayError("upstream_concurrency_exceeded", { retryAfterSeconds: Math.ceil(shortest / 1000) });
}

export function createChooser({ channelsFor, limiter, clock = () => performance.now(), random = Math.random }: ChooserParts): Chooser {
  const health = new Map<string, Health>();

  function healthOf(id: string): Health {
    let own = health.get(id);
    if (!own) {
      own = { restsUntil: 0, rests: 0, usageFaults: 0, overBounds: 0, overBoundAt: 0, overBoundRestsUntil: 0 };
      health.set(id, own);
    }
    return own;
  }

  function restOf(id: string): number {
    const own = health.get(id);
    return own ? Math.max(0, Math.max(own.restsUntil, own.overBoundRestsUntil) - clock()) : 0;
  }

  function rest(own: Health, isBusy = false): void {
    // Requests that ran in parallel and failed together cause one rest.
    if (own.restsUntil > clock()) return;
    own.restsUntil = clock() + Math.min(REST_MS * 2 ** Math.min(own.rests, 16), REST_MS_MAX);
    if (!isBusy) own.rests++;
  }

  /** A resting channel is better than none, and is tried last. */
  function inTurn(channels: readonly Channel[]): readonly Channel[] {
    const resting = channels.length === 1 ? [] : channels.filter(({ id }) => restOf(id) > 0);
    if (resting.length === 0) return shuffled(channels, random);
    const awake = channels.filter((channel) => !resting.includes(channel));
    return [...shuffled(awake, random), ...shuffled(resting, random)];
  }

  return {
    pick(model, tried) {
      const offered = channelsFor(model);
      const left = tried.length === 0 ? offered : offered.filter((channel) => !tried.some(({ id }) => id === channel.id));
      if (left.length === 0) throw new RelayError("no_channel_available", { retryAfterSeconds: 5 });
      return firstWithin(limiter, inTurn(left), Number.POSITIVE_INFINITY);
    },
    giveBack(channel) {
      limiter.giveBack(channel);
    },
    report(channel, failure) {
      if (failure === null) {
        const own = health.get(channel.id);
        if (own) own.restsUntil = own.rests = 0;
      } else if (failure.isSurelyFree || failure.isOperatorFault || failure.code === "upstream_timeout") {
        rest(healthOf(channel.id), failure.code === "upstream_concurrency_exceeded");
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
      rest(own);
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
    offered: channelsFor,
    restOf,
  };
}
