/**
 * The windows of all processes that use one Redis. Each process also counts what it admits itself, so
 * that it can continue alone at any time, with its share of the limits.
 */
import type { SharedWindows } from "./shared-windows";
import { OwnWindows, type Window, type WindowCount, type Windows } from "./windows";

/** One process's part of a limit: at least one. */
const shareOf = (limit: number, processes: number) => Math.max(1, Math.floor(limit / processes));

export function createRedisWindows(
  shared: SharedWindows,
  own: OwnWindows = new OwnWindows(),
): Windows {
  const sharesOf = (windows: readonly Window[]) =>
    windows.map((window) => ({ ...window, limit: shareOf(window.limit, shared.processes) }));

  /** The part of the limit that other processes have counts as used. */
  function ofShare(windows: readonly Window[], shares: readonly Window[], count: WindowCount) {
    const others = (windows[0]?.limit ?? 0) - (shares[0]?.limit ?? 0);
    return { ...count, used: count.used + others };
  }

  function takeAlone(windows: readonly Window[]): WindowCount {
    const shares = sharesOf(windows);
    return ofShare(windows, shares, own.take(shares));
  }

  /** Its own part, while what Redis counts is not complete. */
  const allowed = (windows: readonly Window[]) =>
    shared.isForgetful ? sharesOf(windows) : windows;

  return {
    take(windows) {
      if (!shared.isUp) return takeAlone(windows);
      const before = own.look(allowed(windows));
      if (before.waitMs > 0) return before;
      return shared.take(windows).then((count) => {
        if (count === null) return takeAlone(windows);
        if (count.waitMs > 0) return count;
        const here = own.take(allowed(windows));
        if (here.waitMs === 0) return count;
        shared.giveBack(windows.map(({ name }) => name));
        return here;
      });
    },
    giveBack(windows) {
      own.giveBack(windows);
      shared.giveBack(windows.map(({ name }) => name));
    },
  };
}
