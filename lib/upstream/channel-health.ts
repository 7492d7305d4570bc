/** How well a channel does, as one process knows it, and what it means for its cooldowns. */
import type { ChannelEvent, ToldHealth } from "../cluster/channel-news";

const COOLDOWN_MS = 10_000;
/**
 * A cooldown that did not help is followed by one of twice its length, up to this. A channel that is
 * only busy cools down equally long each time.
 */
const COOLDOWN_MS_MAX = 300_000;
/**
 * After this many answers in a row without usage the channel cooldowns. Each further one prolongs the
 * rest; only an answer that can be billed ends it.
 */
export const USAGE_FAULTS_MAX = 3;
const USAGE_REST_MS = 300_000;
/**
 * This many answers within a day whose usage exceeded their bound put a channel in cooldown; from then on
 * it is held for at the model's maximum.
 */
export const OVER_BOUND_MAX = 3;
const OVER_BOUND_REST_MS = 300_000;
export const OVER_BOUND_KEPT_MS = 86_400_000;

export interface Health {
  cooldownUntil: number;
  /** Cooldowns since the last successful answer. */
  cooldowns: number;
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

/**
 * False when the channel is in cooldown already, and for as long as its upstream asks: `waitSeconds`, at most as
 * long as any rest.
 */
export function coolDown(own: Health, now: number, isBusy: boolean, waitSeconds = 0): boolean {
  const askedUntil = now + Math.min(waitSeconds * 1000, COOLDOWN_MS_MAX);
  // Requests that ran in parallel and failed together cause one rest.
  if (own.cooldownUntil > now) {
    const isLonger = askedUntil - own.cooldownUntil >= 1000;
    if (isLonger) own.cooldownUntil = askedUntil;
    return isLonger;
  }
  const ownUntil = now + Math.min(COOLDOWN_MS * 2 ** Math.min(own.cooldowns, 16), COOLDOWN_MS_MAX);
  own.cooldownUntil = Math.max(ownUntil, askedUntil);
  if (!isBusy) own.cooldowns++;
  return true;
}

/** It was tested and still fails: it is in cooldown until a test works, or as long as any cooldown may last. */
export function coolDownLong(own: Health, now: number): void {
  own.cooldownUntil = now + COOLDOWN_MS_MAX;
  own.cooldowns++;
}

/** True when the channel starts a cooldown for it. */
export function noteUsageFault(own: Health, now: number): boolean {
  if (++own.usageFaults < USAGE_FAULTS_MAX) return false;
  const isNew = own.usageRestsUntil <= now;
  own.usageRestsUntil = now + USAGE_REST_MS;
  return isNew;
}

/** True when the channel starts a cooldown for it. */
export function noteOverBound(own: Health, now: number): boolean {
  if (now - own.overBoundAt > OVER_BOUND_KEPT_MS) own.overBounds = 0;
  own.overBoundAt = now;
  if (++own.overBounds < OVER_BOUND_MAX) return false;
  const isNew = own.overBoundRestsUntil <= now;
  own.overBoundRestsUntil = now + OVER_BOUND_REST_MS;
  return isNew;
}

export const newHealth = (): Health => ({
  cooldownUntil: 0,
  cooldowns: 0,
  usageFaults: 0,
  usageRestsUntil: 0,
  overBounds: 0,
  overBoundAt: 0,
  overBoundRestsUntil: 0,
});

export function hearInto(own: Health, event: Omit<ChannelEvent, "channelId">, now: number): void {
  const { what, waitSeconds } = event;
  if (what === "trouble" || what === "busy") coolDown(own, now, what === "busy", waitSeconds);
  if (what === "down") coolDownLong(own, now);
  if (what === "answer") own.cooldownUntil = own.cooldowns = 0;
  if (what === "no_usage") noteUsageFault(own, now);
  if (what === "usage") own.usageFaults = own.usageRestsUntil = 0;
  if (what === "over_bound") noteOverBound(own, now);
}

/** Null for a channel of which there is nothing to tell. */
export function toldHealth(channelId: string, own: Health, now: number): ToldHealth | null {
  const { cooldowns, usageFaults, overBounds } = own;
  if (cooldowns + usageFaults + overBounds === 0 && own.cooldownUntil <= now) return null;
  return {
    channelId,
    cooldowns,
    usageFaults,
    overBounds,
    cooldownMs: Math.max(0, own.cooldownUntil - now),
    usageRestMs: Math.max(0, own.usageRestsUntil - now),
    overBoundRestMs: Math.max(0, own.overBoundRestsUntil - now),
    overBoundAgeMs: now - own.overBoundAt,
  };
}

export const learntHealth = (told: ToldHealth, now: number): Health => ({
  cooldowns: told.cooldowns,
  usageFaults: told.usageFaults,
  overBounds: told.overBounds,
  cooldownUntil: now + told.cooldownMs,
  usageRestsUntil: now + told.usageRestMs,
  overBoundRestsUntil: now + told.overBoundRestMs,
  overBoundAt: now - told.overBoundAgeMs,
});
