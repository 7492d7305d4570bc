/** Requests a second and a minute per channel; what exceeds them is rejected at once, never queued. */
import { SlidingWindow } from "./sliding-window";

export interface ChannelRates {
  readonly id: string;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
}

export interface ChannelLimiter {
  /** Counts one request; answers 0 when it may be sent, else the milliseconds until one may. */
  take(channel: ChannelRates): number;
  /** Uncounts one request that was taken and not sent. */
  giveBack(channel: ChannelRates): void;
}

interface Windows {
  readonly second: SlidingWindow;
  readonly minute: SlidingWindow;
}

export function createChannelLimiter(clock: () => number = () => performance.now()): ChannelLimiter {
  const windows = new Map<string, Windows>();
  return {
    take({ id, requestsPerSecond, requestsPerMinute }) {
      if (requestsPerSecond === 0 && requestsPerMinute === 0) return 0;
      // Whole milliseconds: sums of fractions would make a wait longer than its window.
      const now = Math.floor(clock());
      let own = windows.get(id);
      if (!own) {
        own = { second: new SlidingWindow(1000), minute: new SlidingWindow(60_000) };
        windows.set(id, own);
      }
      const waitSecond = requestsPerSecond === 0 ? 0 : own.second.untilBelow(requestsPerSecond, now);
      const waitMinute = requestsPerMinute === 0 ? 0 : own.minute.untilBelow(requestsPerMinute, now);
      const wait = Math.max(waitSecond, waitMinute);
      if (wait > 0) return wait;
      if (requestsPerSecond !== 0) own.second.add(now);
      if (requestsPerMinute !== 0) own.minute.add(now);
      return 0;
    },
    giveBack({ id, requestsPerSecond, requestsPerMinute }) {
      const own = windows.get(id);
      if (requestsPerSecond !== 0) own?.second.removeNewest();
      if (requestsPerMinute !== 0) own?.minute.removeNewest();
    },
  };
}
