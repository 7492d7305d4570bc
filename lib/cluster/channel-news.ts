/** What processes tell each other of the channels. */

export const channelEvents = [
  "trouble",
  "down",
  "busy",
  "answer",
  "no_usage",
  "usage",
  "over_bound",
] as const;

/** What happened at a channel, or at one of its credentials: `channelId` is then its key. */
export interface ChannelEvent {
  readonly channelId: string;
  readonly what: (typeof channelEvents)[number];
  /** Of `trouble` and `busy`: for how long the upstream asked to be left alone. */
  readonly waitSeconds?: number | undefined;
}

/** A channel's health as one worker tells it to a new one, whose clock is another. */
export interface ToldHealth {
  readonly channelId: string;
  /** Cooldowns since the last successful answer. */
  readonly cooldowns: number;
  readonly usageFaults: number;
  readonly overBounds: number;
  /** For how many milliseconds it still cooldowns: for each of the reasons. */
  readonly cooldownMs: number;
  readonly usageRestMs: number;
  readonly overBoundRestMs: number;
  /** Milliseconds since its usage last exceeded the bound. */
  readonly overBoundAgeMs: number;
}
