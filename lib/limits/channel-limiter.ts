/**
 * Limits the requests per second and per minute of each channel. What exceeds them is rejected at
 * once, never queued.
 */
import { OwnWindows, type Windows, whenCounted } from "./windows";

interface ChannelRates {
  readonly id: string;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
}

export interface ChannelLimiter {
  /** Counts one request. Returns 0 when it may be sent, else the milliseconds until one may be. */
  take(channel: ChannelRates): number | Promise<number>;
  /** Uncounts a request that was counted and not sent. */
  giveBack(channel: ChannelRates): void;
}

export interface LocalChannelLimiter extends ChannelLimiter {
  take(channel: ChannelRates): number;
}

function windowsOf({ id, requestsPerSecond, requestsPerMinute }: ChannelRates) {
  const second = { name: `channel:${id}:second`, windowMs: 1000, limit: requestsPerSecond };
  const minute = { name: `channel:${id}:minute`, windowMs: 60_000, limit: requestsPerMinute };
  return [second, minute].filter(({ limit }) => limit !== 0);
}

const isUnlimited = ({ requestsPerSecond, requestsPerMinute }: ChannelRates) =>
  requestsPerSecond === 0 && requestsPerMinute === 0;

export function createChannelLimiter(windows?: OwnWindows): LocalChannelLimiter;
export function createChannelLimiter(windows: Windows): ChannelLimiter;
export function createChannelLimiter(windows: Windows = new OwnWindows()): ChannelLimiter {
  return {
    take: (channel) =>
      isUnlimited(channel)
        ? 0
        : whenCounted(windows.take(windowsOf(channel)), ({ waitMs }) => waitMs),
    giveBack(channel) {
      if (!isUnlimited(channel)) windows.giveBack(windowsOf(channel));
    },
  };
}
