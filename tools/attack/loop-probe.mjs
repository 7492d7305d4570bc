/**
 * Loaded into the server before anything else (`node --import`): measures how long its event loop
 * is blocked. A timer of 5 ms notices each delay. The kernel's accounting shows how long the thread
 * waited for a processor, which is the machine's doing.
 */
import { openSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import { startLoopProfile } from "./loop-profile.mjs";

const TICK_MS = 5;
const NOTED_MS = 20;
const KEPT = 500;

if (isMainThread && process.send) {
  const book =
    process.platform === "linux"
      ? openSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, "r")
      : null;
  const text = Buffer.alloc(64);
  /** How many milliseconds the main thread was ready to run and had no processor. */
  const waited = () =>
    book === null
      ? 0
      : Number(text.toString("latin1", 0, readSync(book, text, 0, 64, 0)).split(" ")[1]) / 1e6;

  let blocks = [];
  let longestMs = 0;
  let longestOwnMs = 0;
  let longestPauseMs = 0;
  let longestAt = [0, 0];
  let last = performance.now();
  let lastWaited = waited();
  const profileOf = process.env.RELAY_ATTACK_PROFILE === "on" ? startLoopProfile() : () => null;
  const microseconds = () => Number(process.hrtime.bigint() / 1000n);
  const clear = () => {
    blocks = [];
    longestMs = longestOwnMs = longestPauseMs = 0;
    longestAt = [0, 0];
  };
  setInterval(() => {
    const now = performance.now();
    const nowWaited = waited();
    const ms = now - last - TICK_MS;
    const ownMs = Math.max(0, ms - (nowWaited - lastWaited));
    last = now;
    lastWaited = nowWaited;
    if (ms > longestMs) longestMs = ms;
    if (ownMs > longestOwnMs) {
      longestOwnMs = ownMs;
      longestAt = [microseconds() - (ms + TICK_MS) * 1000, microseconds()];
    }
    if (ownMs > NOTED_MS && blocks.length < KEPT) blocks.push({ at: Date.now(), ms, ownMs });
  }, TICK_MS).unref();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      if (duration > longestPauseMs) longestPauseMs = duration;
  }).observe({ entryTypes: ["gc"] });

  process.on("message", (message) => {
    if (message?.probe === undefined) return;
    if (message.probe === "collect") {
      globalThis.gc?.();
    }
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const profile = profileOf(...longestAt);
    process.send?.({
      probe: {
        blocks,
        longestMs,
        longestOwnMs,
        longestPauseMs,
        profile,
        heapUsed,
        heapTotal,
        external,
        arrayBuffers,
      },
    });
    clear();
    last = performance.now();
    lastWaited = waited();
  });
  process.channel?.unref();
}
