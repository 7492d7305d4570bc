import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createChannelLimiter } from "./channel-limiter";
import { createKeyLimiter } from "./key-limiter";
import { type LeasedMessage, LeasedWindows } from "./leased-windows";
import { WindowAuthority } from "./window-authority";
import type { WindowCount } from "./windows";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = { name: "key:a:request", windowMs: 60_000, limit: 60 };

interface Installation {
  readonly workers: readonly LeasedWindows[];
  readonly authority: WindowAuthority;
  /** Messages sent by workers. */
  readonly sent: LeasedMessage[];
  /** The worker's messages are lost from now on. */
  kill(worker: number): void;
}

/** Workers and their primary; every message takes `delay` milliseconds. */
function install(count: number, delay: () => number = () => 1): Installation {
  const dead = new Set<number>();
  const sent: LeasedMessage[] = [];
  const clock = () => Date.now();
  /** A connection keeps the order of its messages. */
  const free = new Map<string, number>();
  const later = (line: string, deliver: () => void) => {
    const at = Math.max(Date.now() + delay(), free.get(line) ?? 0);
    free.set(line, at);
    setTimeout(deliver, at - Date.now());
  };
  const down = (worker: number, deliver: (to: LeasedWindows) => void) => {
    const to = workers[worker];
    if (to) later(`down ${worker}`, () => dead.has(worker) || deliver(to));
  };
  const authority: WindowAuthority = new WindowAuthority({
    workers: count,
    recall: (worker, name) => down(worker, (to) => to.recall([name])),
    clock,
  });
  const workers: LeasedWindows[] = Array.from({ length: count }, (_, worker) => {
    const hear = ({ reports, asks, recalled }: LeasedMessage) => {
      if (dead.has(worker)) return;
      for (const report of reports) authority.report(worker, report);
      for (const name of recalled) authority.recalled(worker, name);
      for (const ask of asks)
        authority.ask(worker, ask, (grant) => down(worker, (to) => to.granted([grant])));
    };
    return new LeasedWindows((message) => {
      sent.push(message);
      later(`up ${worker}`, () => hear(message));
    }, clock);
  });
  const kill = (worker: number) => {
    dead.add(worker);
    authority.forget(worker);
  };
  return { workers, authority, sent, kill };
}

/** Takes as often as said, and counts what was admitted. */
function takeMany(worker: LeasedWindows | undefined, times: number, window = MINUTE) {
  const result = { admitted: 0, refused: 0 };
  const note = ({ waitMs }: WindowCount) => {
    if (waitMs === 0) result.admitted++;
    else result.refused++;
  };
  for (let count = 0; count < times; count++)
    void Promise.resolve(worker?.take([window])).then((taken) => taken && note(taken));
  return result;
}

test("sixty a minute stays sixty over two and over eight workers, to the last one", async () => {
  for (const count of [2, 8]) {
    const { workers } = install(count);
    const taken = workers.map((worker) => takeMany(worker, 100));
    await vi.advanceTimersByTimeAsync(2000);
    expect(taken.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(60);
    expect(taken.reduce((sum, { refused }) => sum + refused, 0)).toBe(count * 100 - 60);
    const again = workers.map((worker) => takeMany(worker, 100));
    await vi.advanceTimersByTimeAsync(1000);
    expect(again.map(({ admitted }) => admitted)).toEqual(workers.map(() => 0));
    await vi.advanceTimersByTimeAsync(60_000);
    const later = workers.map((worker) => takeMany(worker, 100));
    await vi.advanceTimersByTimeAsync(1000);
    expect(later.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(60);
  }
});

test("what one worker has borrowed and does not use, another one gets at once", async () => {
  const { workers } = install(2);
  const first = takeMany(workers[0], 1);
  await vi.advanceTimersByTimeAsync(20);
  const rest = takeMany(workers[1], 200);
  await vi.advanceTimersByTimeAsync(300);
  expect([first.admitted, rest.admitted, rest.refused]).toEqual([1, 59, 141]);
});

test("after a worker was killed, what it had borrowed counts as used for a minute", async () => {
  const { workers, kill } = install(2);
  const before = takeMany(workers[0], 1);
  await vi.advanceTimersByTimeAsync(20);
  // Admitted by itself, and reported to nobody.
  const unreported = takeMany(workers[0], 5);
  await vi.advanceTimersByTimeAsync(0);
  kill(0);
  const rest = takeMany(workers[1], 200);
  await vi.advanceTimersByTimeAsync(1000);
  expect(before.admitted + unreported.admitted).toBe(6);
  expect(rest.admitted).toBeLessThanOrEqual(54);
  expect(rest.admitted).toBeGreaterThanOrEqual(30);
  await vi.advanceTimersByTimeAsync(60_000);
  const later = takeMany(workers[1], 200);
  await vi.advanceTimersByTimeAsync(1000);
  expect(later.admitted).toBe(60);
});

test("at any timing of requests and messages no window ever holds more than its limit", async () => {
  const DELAY_MAX = 20;
  const WINDOW = 500;
  const step = fc.record({
    worker: fc.integer({ min: 0, max: 2 }),
    times: fc.integer({ min: 1, max: 12 }),
    waitMs: fc.integer({ min: 0, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(fc.integer({ min: 0, max: DELAY_MAX })),
      async (steps, limit, delays) => {
        const { workers } = install(3, () => delays.next().value ?? 0);
        const admittedAt: number[] = [];
        for (const { worker, times, waitMs } of steps) {
          for (let count = 0; count < times; count++) {
            const window = { name: "w", windowMs: WINDOW, limit };
            void Promise.resolve(workers[worker]?.take([window])).then((taken) => {
              if (taken?.waitMs === 0) admittedAt.push(Date.now());
            });
          }
          await vi.advanceTimersByTimeAsync(waitMs);
        }
        await vi.advanceTimersByTimeAsync(400);
        admittedAt.sort((one, other) => one - other);
        // Counted by the primary up to one message's time before the worker heard of it.
        for (const [place, moment] of admittedAt.entries()) {
          const over = admittedAt[place + limit];
          if (over !== undefined) expect(over - moment).toBeGreaterThanOrEqual(WINDOW - DELAY_MAX);
        }
        expect(admittedAt.length).toBeGreaterThanOrEqual(
          Math.min(
            limit,
            steps.reduce((sum, { times }) => sum + times, 0),
          ),
        );
        for (const worker of workers) worker.close();
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test("a busy key needs a message for every hundred requests, and an idle one returns all", async () => {
  const { workers, authority, sent } = install(2);
  const busy = { name: "key:busy:request", windowMs: 60_000, limit: 1_000_000 };
  const taken = { admitted: 0 };
  for (let turn = 0; turn < 1000; turn++) {
    taken.admitted += takeMany(workers[turn % 2], 0).admitted;
    for (const worker of workers)
      void Promise.resolve(worker.take([busy])).then(({ waitMs }) => {
        if (waitMs === 0) taken.admitted++;
      });
    if (turn % 5 === 0) await vi.advanceTimersByTimeAsync(2);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(taken.admitted).toBe(2000);
  expect(sent.length).toBeLessThan(60);
  await vi.advanceTimersByTimeAsync(3000);
  takeMany(workers[0], 1, { name: "other", windowMs: 60_000, limit: 10 });
  await vi.advanceTimersByTimeAsync(130_000);
  takeMany(workers[0], 1, { name: "other", windowMs: 60_000, limit: 10 });
  await vi.advanceTimersByTimeAsync(100);
  expect(authority.size).toBe(1);
});

test("a key is told its limit, what remains and when it may go on", async () => {
  const { workers } = install(2);
  const [worker] = workers;
  if (!worker) throw new Error("no worker");
  const limiter = createKeyLimiter(worker);
  const take = async () => {
    const result = limiter.take("a", 3, "request");
    await vi.advanceTimersByTimeAsync(10);
    return result;
  };
  const results = [await take(), await take(), await take(), await take()];
  expect(results.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(results[3]?.resetSeconds).toBe(60);
});

test("a channel's second and minute hold over the workers, and an unused request is given back", async () => {
  const { workers } = install(2);
  const limiters = workers.map((worker) => createChannelLimiter(worker));
  const channel = { id: "ch", requestsPerSecond: 4, requestsPerMinute: 6 };
  const take = async () => {
    const waits = limiters.flatMap((limiter) =>
      Array.from({ length: 5 }, () => Promise.resolve(limiter.take(channel))),
    );
    await vi.advanceTimersByTimeAsync(400);
    return (await Promise.all(waits)).filter((wait) => wait === 0).length;
  };
  expect(await take()).toBe(4);
  limiters[0]?.giveBack(channel);
  await vi.advanceTimersByTimeAsync(100);
  expect(await take()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await take()).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await take()).toBe(0);
});

test("when the primary does not answer, requests are refused after two seconds", async () => {
  const worker = new LeasedWindows(() => {});
  const taken = Promise.resolve(worker.take([MINUTE])).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(2100);
  expect(await taken).toMatch(/service_busy|busy|later|try again/i);
});
