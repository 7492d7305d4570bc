import fc from "fast-check";
import { expect, test } from "vitest";
import { isRelayError } from "../failures/relay-error";
import { createChannelLimiter } from "./channel-limiter";
import { createKeyLimiter } from "./key-limiter";
import { createRunningWork } from "./running-work";
import { OwnWindows } from "./windows";

test("60 requests pass in any minute, the 61st is refused with the wait, and one more passes when the oldest leaves", () => {
  let now = 1_000;
  const limiter = createKeyLimiter(new OwnWindows(() => now));
  for (let sent = 0; sent < 60; sent++) {
    now += 10;
    expect(limiter.take("key_a", 60, "request")).toMatchObject({
      isAllowed: true,
      limit: 60,
      remaining: 59 - sent,
    });
  }
  expect(limiter.take("key_a", 60, "request")).toEqual({
    isAllowed: false,
    limit: 60,
    remaining: 0,
    resetSeconds: 60,
  });
  now = 1_010 + 60_000 - 1;
  expect(limiter.take("key_a", 60, "request")).toMatchObject({ isAllowed: false, resetSeconds: 1 });
  now = 1_010 + 60_000;
  expect(limiter.take("key_a", 60, "request").isAllowed).toBe(true);
  expect(limiter.take("key_a", 60, "request").isAllowed).toBe(false);
  expect(limiter.take("key_b", 60, "request").isAllowed).toBe(true);
  expect(limiter.take("key_a", 60, "poll")).toMatchObject({ isAllowed: true, limit: 600 });
});

test("no window of a minute ever has more admissions than the limit, and no request below it is refused", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 40 }), (gaps, limit) => {
      let now = 0;
      const limiter = createKeyLimiter(new OwnWindows(() => now));
      const admitted: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const within = admitted.filter((moment) => moment > now - 60_000).length;
        const taken = limiter.take("key", limit, "request");
        expect(taken.isAllowed).toBe(within < limit);
        if (taken.isAllowed) admitted.push(now);
      }
    }),
  );
});

test("no wait is longer than its window, at any fraction of a millisecond", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (moment) => {
      const limiter = createKeyLimiter(new OwnWindows(() => moment));
      expect(limiter.take("key", 1, "request").resetSeconds).toBe(60);
      expect(limiter.take("key", 1, "request").resetSeconds).toBe(60);
      const channels = createChannelLimiter(new OwnWindows(() => moment));
      const channel = { id: "ch", requestsPerSecond: 1, requestsPerMinute: 0 };
      expect([channels.take(channel), channels.take(channel)]).toEqual([0, 1000]);
    }),
  );
});

test("a lowered limit applies at once", () => {
  const limiter = createKeyLimiter(new OwnWindows(() => 1));
  for (let sent = 0; sent < 10; sent++) limiter.take("key", 60, "request");
  expect(limiter.take("key", 5, "request")).toMatchObject({
    isAllowed: false,
    limit: 5,
    remaining: 0,
  });
});

test("a channel takes its requests per second and minute, rejects the next at once, and zero means no limit", () => {
  let now = 0;
  const limiter = createChannelLimiter(new OwnWindows(() => now));
  const channel = { id: "ch", requestsPerSecond: 2, requestsPerMinute: 3 };
  expect(limiter.take(channel)).toBe(0);
  expect(limiter.take(channel)).toBe(0);
  expect(limiter.take(channel)).toBe(1000);
  now = 1000;
  expect(limiter.take(channel)).toBe(0);
  expect(limiter.take(channel)).toBe(59_000);
  const open = { id: "open", requestsPerSecond: 0, requestsPerMinute: 0 };
  for (let sent = 0; sent < 1000; sent++) expect(limiter.take(open)).toBe(0);
});

test("running requests are bounded per key, per account and in all, and a drain waits for the last of them", async () => {
  const running = createRunningWork({ perKeyMax: 2, perAccountMax: 3, totalMax: 4, waitMs: 20 });
  const worker = (name: string) => ({ rateSubject: name, accountId: name[0] as string });
  const codeOf = async (name: string) => {
    try {
      await running.enter(worker(name));
      return "admitted";
    } catch (error) {
      return isRelayError(error) ? error.code : "other";
    }
  };
  const codesOf = (...names: string[]) => Promise.all(names.map(codeOf));
  expect(await codesOf("a", "a", "a")).toEqual(["admitted", "admitted", "key_rate_limited"]);
  expect(await codesOf("a2", "a3")).toEqual(["admitted", "key_rate_limited"]);
  expect(await codesOf("b", "c")).toEqual(["admitted", "service_busy"]);
  running.leave(worker("a"));
  expect(await codeOf("c")).toBe("admitted");
  const drained = running.drain(5_000);
  expect(await codeOf("a")).toBe("service_draining");
  for (const name of ["a", "a2", "b", "c"]) running.leave(worker(name));
  expect(await drained).toBe(true);
  expect(running.count).toBe(0);
});

test("when all places are taken the accounts take turns, and a free place goes to the next", async () => {
  const running = createRunningWork({
    perKeyMax: 100,
    perAccountMax: 100,
    totalMax: 2,
    waitMs: 5_000,
  });
  const worker = (accountId: string) => ({ rateSubject: accountId, accountId });
  const entered: string[] = [];
  const enter = (accountId: string) =>
    running.enter(worker(accountId))?.then(() => void entered.push(accountId));
  expect([enter("a"), enter("a")]).toEqual([undefined, undefined]);
  const refused: Promise<string | undefined>[] = [];
  for (const accountId of ["a", "a", "a", "a", "b", "c", "b"])
    refused.push(
      enter(accountId)?.then(
        () => undefined,
        ({ code }) => code,
      ) as never,
    );
  for (let freed = 0; freed < 5; freed++) {
    running.leave(worker(entered[freed - 2] ?? "a"));
    await Promise.resolve();
    expect(running.count).toBe(2);
  }
  expect(entered).toEqual(["a", "b", "c", "a", "b"]);
  // A new request does not overtake those that wait.
  const late = enter("d");
  expect(late).toBeInstanceOf(Promise);
  const isEmptied = running.drain(1);
  await expect(late).rejects.toMatchObject({ code: "service_draining" });
  expect((await Promise.all(refused)).filter(Boolean)).toEqual([
    "service_draining",
    "service_draining",
  ]);
  expect(await isEmptied).toBe(false);
});

test("a queue is bounded: when it is full, a new request is refused at once", async () => {
  const running = createRunningWork({
    perKeyMax: 100,
    perAccountMax: 100,
    totalMax: 1,
    waitMs: 60_000,
  });
  const worker = { rateSubject: "a", accountId: "a" };
  expect(running.enter(worker)).toBeUndefined();
  const waiting = Array.from({ length: 64 }, () =>
    running.enter(worker)?.catch(() => "refused later"),
  );
  await expect(running.enter(worker)).rejects.toMatchObject({
    code: "service_busy",
    retryAfterSeconds: 1,
  });
  const isEmptied = running.drain(1);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["refused later"]));
  expect(await isEmptied).toBe(false);
});
