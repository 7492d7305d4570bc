/**
 * Limits the requests per second and per minute of each channel. What exceeds them is rejected at
 * once, never queued.
 */
import { shareOf } from "./key-limiter";
import type { LeasedWindows, WindowCount } from "./leased-windows";
import type { SharedWindows } from "./shared-windows";
import { SlidingWindow } from "./sliding-window";

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

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

class ChannelWindows {
  readonly #windows = new Map<
    string,
    { readonly second: SlidingWindow; readonly minute: SlidingWindow }
  >();

  #of(id: string) {
    const known = this.#windows.get(id) ?? {
      second: new SlidingWindow(SECOND_MS),
      minute: new SlidingWindow(MINUTE_MS),
    };
    this.#windows.set(id, known);
    return known;
  }

  wait({ id, requestsPerSecond, requestsPerMinute }: ChannelRates, now: number): number {
    const own = this.#of(id);
    const waitSecond = requestsPerSecond === 0 ? 0 : own.second.untilBelow(requestsPerSecond, now);
    const waitMinute = requestsPerMinute === 0 ? 0 : own.minute.untilBelow(requestsPerMinute, now);
    return Math.max(waitSecond, waitMinute);
  }

  add({ id, requestsPerSecond, requestsPerMinute }: ChannelRates, now: number): void {
    const own = this.#of(id);
    if (requestsPerSecond !== 0) own.second.add(now);
    if (requestsPerMinute !== 0) own.minute.add(now);
  }

  take(channel: ChannelRates, now: number): number {
    const wait = this.wait(channel, now);
    if (wait === 0) this.add(channel, now);
    return wait;
  }

  giveBack({ id, requestsPerSecond, requestsPerMinute }: ChannelRates): void {
    const own = this.#windows.get(id);
    if (requestsPerSecond !== 0) own?.second.removeNewest();
    if (requestsPerMinute !== 0) own?.minute.removeNewest();
  }
}

const isUnlimited = ({ requestsPerSecond, requestsPerMinute }: ChannelRates) =>
  requestsPerSecond === 0 && requestsPerMinute === 0;

export function createChannelLimiter(
  clock: () => number = () => performance.now(),
): LocalChannelLimiter {
  const windows = new ChannelWindows();
  return {
    // Whole milliseconds: fractions would add up to a wait longer than the window.
    take: (channel) => (isUnlimited(channel) ? 0 : windows.take(channel, Math.floor(clock()))),
    giveBack: (channel) => windows.giveBack(channel),
  };
}

function sharedWindowsOf({ id, requestsPerSecond, requestsPerMinute }: ChannelRates) {
  const second = { name: `channel:${id}:second`, windowMs: SECOND_MS, limit: requestsPerSecond };
  const minute = { name: `channel:${id}:minute`, windowMs: MINUTE_MS, limit: requestsPerMinute };
  return [second, minute].filter(({ limit }) => limit !== 0);
}

const shareOfRate = (limit: number, processes: number) =>
  limit === 0 ? 0 : shareOf(limit, processes);

/**
 * The limiter over all processes. This process also counts what it sends itself, so that it can
 * continue alone at any time.
 */
export function createSharedChannelLimiter(
  shared: SharedWindows,
  clock: () => number = () => performance.now(),
): ChannelLimiter {
  const windows = new ChannelWindows();
  return {
    take(channel) {
      if (isUnlimited(channel)) return 0;
      const now = Math.floor(clock());
      const share = {
        id: channel.id,
        requestsPerSecond: shareOfRate(channel.requestsPerSecond, shared.processes),
        requestsPerMinute: shareOfRate(channel.requestsPerMinute, shared.processes),
      };
      if (!shared.isUp) return windows.take(share, now);
      const wait = windows.wait(shared.isForgetful ? share : channel, now);
      if (wait > 0) return wait;
      const asked = sharedWindowsOf(channel);
      return shared.take(asked).then((answer) => {
        if (answer === null) return windows.take(share, now);
        if (answer.waitMs > 0) return answer.waitMs;
        const waitHere = windows.take(shared.isForgetful ? share : channel, now);
        if (waitHere > 0) shared.giveBack(asked.map(({ name }) => name));
        return waitHere;
      });
    },
    giveBack(channel) {
      if (isUnlimited(channel)) return;
      windows.giveBack(channel);
      shared.giveBack(sharedWindowsOf(channel).map(({ name }) => name));
    },
  };
}

/**
 * The limiter over all workers of this machine, whose primary process counts. Where the minute is
 * full, the second is uncounted again.
 */
export function createLeasedChannelLimiter(
  windows: Pick<LeasedWindows, "take" | "giveBack">,
): ChannelLimiter {
  type Asked = ReturnType<typeof sharedWindowsOf>;
  function takeNext(asked: Asked, place: number): number | Promise<number> {
    const window = asked[place];
    if (window === undefined) return 0;
    const next = ({ waitMs }: WindowCount) => {
      if (waitMs === 0) return takeNext(asked, place + 1);
      for (const { name } of asked.slice(0, place)) windows.giveBack(name);
      return waitMs;
    };
    const count = windows.take(window);
    return count instanceof Promise ? count.then(next) : next(count);
  }
  return {
    take: (channel) => (isUnlimited(channel) ? 0 : takeNext(sharedWindowsOf(channel), 0)),
    giveBack(channel) {
      for (const { name } of sharedWindowsOf(channel)) windows.giveBack(name);
    },
  };
}
