/**
 * Chooses the channel for a request: by priority, then by weight. Skips channels that are over
 * their limits, and puts those that cools down after failures last.
 */

import type { ChannelEvent } from "../cluster/channel-news";
import { type Refused, servesForm } from "../contract/channel-profile";
import { RelayError } from "../failures/relay-error";
import type { ChannelLimiter } from "../limits/channel-limiter";
import { type Draw, drawsOf } from "./affinity";
import type { NoteAttempt } from "./attempt";
import { type ChannelCooldowns, createChannelRests } from "./channel-cooldowns";
import { credentialKey, untriedOf } from "./credentials";
import type { Channel } from "./provider";

export interface Chooser extends ChannelCooldowns {
  /**
   * Picks a channel for a model and one of its credentials, not among `tried`, and counts the request against its limits. With
   * `form` only channels that can bill such an answer of text are picked.
   * Throws `no_channel_available`, `unsupported_value` for a stream where only plain answers are
   * served, or `upstream_concurrency_exceeded` when all remaining channels are over their limits.
   * Answers without a promise when the limits are in this process's memory. Requests of one
   * `conversation` go to the same channel and credential as long as it is within its limits and does
   * not rest.
   */
  pick(
    model: string,
    tried: readonly Channel[],
    form?: "plain" | "stream",
    conversation?: () => string,
  ): Channel | Promise<Channel>;
  /**
   * Reports what a channel's upstream refused of a request for a model, which it took in a plainer form or
   * with a smaller cap at once.
   */
  reportRefused(channel: Channel, model: string, refused: Refused): void;
  /** Reports a call that the row of its request does not tell of. */
  reportAttempt: NoteAttempt;
  /** Uncounts a request: the picked channel was not used. */
  giveBack(channel: Channel): void;
  /** The channels that may serve a model. */
  offered(model: string): readonly Channel[];
  /** Whether each of them is in cooldown, or there is none. */
  isResting(model: string): boolean;
}

export interface ChooserDeps {
  readonly channelsFor: (model: string) => readonly Channel[];
  readonly limiter: ChannelLimiter;
  /** Tells other processes what happened at a channel. */
  readonly tell?: (event: ChannelEvent) => void;
  /** Remembers, for all processes, what a channel's upstream cannot read. */
  readonly remember?: Chooser["reportRefused"];
  /** Keeps an attempt for operators. */
  readonly noteAttempt?: NoteAttempt;
  readonly clock?: () => number;
  readonly random?: () => number;
}

/**
 * A drawn order, the highest priority first. Among equals, a channel's chance to be first is its
 * share of the weights; so is a credential's among those of its channel.
 */
function shuffled(channels: readonly Channel[], draw: Draw): readonly Channel[] {
  if (channels.length < 2) return channels;
  const drawn = channels.map((channel) => ({
    channel,
    key:
      -Math.log(1 - draw(credentialKey(channel))) /
      Math.max(1, channel.credential?.weight ?? channel.weight),
  }));
  return drawn
    .sort((one, other) => other.channel.priority - one.channel.priority || one.key - other.key)
    .map(({ channel }) => channel);
}

const noStreams = () =>
  new RelayError("unsupported_value", {
    param: "stream",
    message: "`stream` is true: this model is served without streams now. Send `stream: false`.",
    fault: { name: "no_streams" },
  });

/** The channels whose answers in this form can be billed. */
function serving(channels: readonly Channel[], form: "plain" | "stream"): readonly Channel[] {
  if (channels.every((channel) => servesForm(channel, form))) return channels;
  const left = channels.filter((channel) => servesForm(channel, form));
  if (left.length === 0 && channels.some((channel) => servesForm(channel, "plain")))
    throw noStreams();
  return left;
}

/** The first channel that is within its limits. `wait` is the shortest wait of those before it. */
function firstWithin(
  limiter: ChannelLimiter,
  channels: readonly Channel[],
  wait: number,
): Channel | Promise<Channel> {
  let shortest = wait;
  for (const [index, channel] of channels.entries()) {
    const own = limiter.take(channel);
    if (own === 0) return channel;
    if (own instanceof Promise) {
      const rest = channels.slice(index + 1);
      return own.then((later) =>
        later === 0 ? channel : firstWithin(limiter, rest, Math.min(shortest, later)),
      );
    }
    shortest = Math.min(shortest, own);
  }
  throw new RelayError("upstream_concurrency_exceeded", {
    retryAfterSeconds: Math.ceil(shortest / 1000),
  });
}

export function createChooser({
  channelsFor,
  limiter,
  tell,
  remember = () => {},
  noteAttempt = () => {},
  clock = () => performance.now(),
  random = Math.random,
}: ChooserDeps): Chooser {
  const cooldowns = createChannelRests(clock, tell);

  /** A channel is also in cooldown while each of its credentials does. */
  const isCoolingDown = (channel: Channel): boolean =>
    cooldowns.cooldownOf(credentialKey(channel)) > 0 ||
    (channel.choices?.every(isCoolingDown) ?? false);

  /** What is in cooldown is better than nothing, and is tried last. */
  function inTurn(channels: readonly Channel[], draw: Draw): readonly Channel[] {
    const cooling = channels.length === 1 ? [] : channels.filter(isCoolingDown);
    if (cooling.length === 0) return shuffled(channels, draw);
    const awake = channels.filter((channel) => !cooling.includes(channel));
    return [...shuffled(awake, draw), ...shuffled(cooling, draw)];
  }

  const withCredential = (channel: Channel, draw: Draw): Channel =>
    channel.choices === undefined ? channel : (inTurn(channel.choices, draw)[0] ?? channel);

  return {
    ...cooldowns,
    pick(model, tried, form, conversation) {
      const offered = form === undefined ? channelsFor(model) : serving(channelsFor(model), form);
      const untried = untriedOf(offered, tried);
      if (untried.length === 0)
        throw new RelayError("no_channel_available", { retryAfterSeconds: 5 });
      const draw: Draw = conversation === undefined ? random : drawsOf(conversation);
      const found = firstWithin(limiter, inTurn(untried, draw), Number.POSITIVE_INFINITY);
      return found instanceof Promise
        ? found.then((channel) => withCredential(channel, draw))
        : withCredential(found, draw);
    },
    reportRefused: remember,
    reportAttempt: noteAttempt,
    giveBack(channel) {
      limiter.giveBack(channel);
    },
    offered: channelsFor,
    isResting: (model) => channelsFor(model).every(isCoolingDown),
  };
}
