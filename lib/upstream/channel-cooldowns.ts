/**
 * Decides which channels are in cooldown, and for how long: after failures, answers without usage, and usage
 * beyond its bound.
 */
import type { ChannelEvent, ToldHealth } from "../cluster/channel-news";
import { refusalReasons } from "../contract/states";
import {
  coolDown,
  coolDownLong,
  type Health,
  hearInto,
  learntHealth,
  newHealth,
  noteOverBound,
  noteUsageFault,
  OVER_BOUND_KEPT_MS,
  OVER_BOUND_MAX,
  toldHealth,
  USAGE_FAULTS_MAX,
} from "./channel-health";
import { credentialKey, failedKey } from "./credentials";
import type { Channel, UpstreamFailure } from "./provider";

const TELL_EVERY_MS = 1000;
const TOLD_MAX = 1000;

export interface ChannelCooldowns {
  /** Takes note of what happened in another worker. */
  hear(event: ChannelEvent): void;
  /** What a new worker should know of the channels, at most of a thousand. */
  told(): ToldHealth[];
  /** Takes over what another worker knows of channels of which this one knows nothing yet. */
  learn(told: readonly ToldHealth[]): void;
  /**
   * Reports the result of an attempt; null means that the upstream answered. Where a credential is
   * to blame and the channel has others, only the credential cooldowns.
   */
  report(channel: Channel, failure: UpstreamFailure | null): void;
  /**
   * Reports whether an answer had usage that can be billed. True when the channel starts a cooldown
   * because several in a row had none.
   */
  reportUsage(channel: Channel, isBillable: boolean): boolean;
  /**
   * Reports an answer whose usage exceeded its bound. True when the channel starts a cooldown for it.
   */
  reportOverBound(channel: Channel): boolean;
  /**
   * False when the channel's usage has exceeded its bound too often of late, so the output cap
   * bounds nothing there.
   */
  keepsBound(channelId: string): boolean;
  /** False after several answers in a row without usage, until one has it. */
  givesUsage(channelId: string): boolean;
  /** What rests now after failures or answers without usage: channels, and credentials by their keys. */
  coolingDown(): string[];
  /** A test of what rests has failed: it cools down on. */
  prolong(key: string): void;
  /** For how many milliseconds a channel, or a credential by its key, still cooldowns; or 0. */
  cooldownOf(channelId: string): number;
}

/** An order that the channel cannot take, though another one may, is no trouble of the channel. */
const isTrouble = ({ code, isSurelyFree, isOperatorFault }: UpstreamFailure) =>
  !refusalReasons.some((reason) => reason === code) &&
  (isSurelyFree || isOperatorFault || code === "upstream_timeout");

/** What is told again and again while a channel is in cooldown for it is told once in a while. */
function tellSparingly(clock: () => number, tell: (event: ChannelEvent) => void) {
  const toldAt = new Map<string, number>();
  return (event: ChannelEvent) => {
    const name = `${event.what} ${event.channelId}`;
    if (clock() - (toldAt.get(name) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    toldAt.set(name, clock());
    tell(event);
  };
}

/** Known or new. */
function healthIn(health: Map<string, Health>, id: string): Health {
  const own = health.get(id) ?? newHealth();
  health.set(id, own);
  return own;
}

/** What this worker hears from others, and what it tells a new one. */
function withOthers(
  health: Map<string, Health>,
  clock: () => number,
): Pick<ChannelCooldowns, "hear" | "told" | "learn"> {
  return {
    hear: ({ channelId, ...event }) => hearInto(healthIn(health, channelId), event, clock()),
    told() {
      const now = clock();
      const all = [...health].flatMap(([id, own]) => toldHealth(id, own, now) ?? []);
      return all.slice(0, TOLD_MAX);
    },
    learn(told) {
      for (const each of told)
        if (!health.has(each.channelId)) health.set(each.channelId, learntHealth(each, clock()));
    },
  };
}

/** What tests of channels in cooldown need. */
function withTests(
  health: Map<string, Health>,
  clock: () => number,
  tell: (event: ChannelEvent) => void,
): Pick<ChannelCooldowns, "coolingDown" | "prolong"> {
  return {
    coolingDown: () =>
      [...health]
        .filter(([, own]) => Math.max(own.cooldownUntil, own.usageRestsUntil) > clock())
        .map(([key]) => key),
    prolong(key) {
      coolDownLong(healthIn(health, key), clock());
      tell({ channelId: key, what: "down" });
    },
  };
}

/** `tell` is called with what other workers should know: only with what changes their choice. */
export function createChannelRests(
  clock: () => number,
  tell: (event: ChannelEvent) => void = () => {},
): ChannelCooldowns {
  const health = new Map<string, Health>();
  const tellNowAndThen = tellSparingly(clock, tell);

  const healthOf = (id: string) => healthIn(health, id);

  function noteAnswer(id: string): void {
    const own = health.get(id);
    if (!own || (own.cooldownUntil === 0 && own.cooldowns === 0)) return;
    own.cooldownUntil = own.cooldowns = 0;
    tell({ channelId: id, what: "answer" });
  }

  return {
    report(channel, failure) {
      if (failure === null) {
        noteAnswer(channel.id);
        if (channel.credential !== undefined) noteAnswer(credentialKey(channel));
      } else if (isTrouble(failure)) {
        const isBusy = failure.code === "upstream_concurrency_exceeded";
        const id = failedKey(channel, failure);
        const { waitSeconds } = failure;
        if (coolDown(healthOf(id), clock(), isBusy, waitSeconds))
          tell({ channelId: id, what: isBusy ? "busy" : "trouble", waitSeconds });
      }
    },
    ...withOthers(health, clock),
    ...withTests(health, clock, tell),
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
    cooldownOf(channelId) {
      const own = health.get(channelId);
      if (!own) return 0;
      const until = Math.max(own.cooldownUntil, own.usageRestsUntil, own.overBoundRestsUntil);
      return Math.max(0, until - clock());
    },
  };
}
