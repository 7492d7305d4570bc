/** Tests the limits of several processes on one Redis, and during an outage of it. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { hasRedis, startTestRedis, type TestRedis } from "@/testing/limits/test-redis";
import { createChannelLimiter } from "./channel-limiter";
import { createKeyLimiter, type KeyLimiter } from "./key-limiter";
import { createRedisWindows } from "./redis-windows";
import { openSharedWindows, type SharedWindows } from "./shared-windows";

let redis: TestRedis;
const opened: SharedWindows[] = [];
const said: string[] = [];

async function openProcess(processes = 2, url = redis.url): Promise<SharedWindows> {
  const log = (event: "up" | "down") => void said.push(event);
  const shared = await openSharedWindows({
    url,
    processId: `process ${opened.length}`,
    countProcesses: async () => processes,
    log,
  });
  opened.push(shared);
  return shared;
}

const until = async (holds: () => boolean) => {
  for (const startedAt = performance.now(); !holds(); ) {
    if (performance.now() - startedAt > 8000) throw new Error("it did not come about in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** Sends `count` requests at once, spread over `limiters`; returns how many were admitted. */
async function burst(
  limiters: readonly KeyLimiter[],
  count: number,
  limit = 60,
  key = "key_a",
): Promise<number> {
  const all = Array.from({ length: count }, (_, index) =>
    limiters[index % limiters.length]?.take(key, limit, "request"),
  );
  return (await Promise.all(all)).filter((taken) => taken?.isAllowed).length;
}

/**
 * On a busy machine Redis may answer too late, and then the process's own share decides: repeats
 * `work` until that does not happen.
 */
async function calm<T>(shared: SharedWindows, work: () => Promise<T>): Promise<T> {
  await until(() => shared.isUp);
  return work();
}

/** Each test has a server of its own. */
function eachWithRedis(): void {
  beforeEach(async () => {
    redis = await startTestRedis();
  });
  afterEach(async () => {
    for (const shared of opened.splice(0)) await shared.close();
    redis.thaw();
    await redis.kill();
    said.length = 0;
  });
}

describe.skipIf(!hasRedis)(
  "with a Redis (skipped where neither valkey-server nor redis-server is installed)",
  () => {
    eachWithRedis();

    test("a key's minute is shared by all processes, whichever gets the request", async () => {
      const [a, b] = [await openProcess(), await openProcess()];
      const limiters = [
        createKeyLimiter(createRedisWindows(a)),
        createKeyLimiter(createRedisWindows(b)),
      ];
      let admitted = 0;
      // One after the other: the test is about the count, not about timeouts.
      for (let sent = 0; sent < 70; sent++)
        admitted += await calm(a, () => burst([limiters[sent < 45 ? 0 : 1] as KeyLimiter], 1));
      expect(admitted).toBeLessThanOrEqual(60);
      expect(admitted).toBeGreaterThanOrEqual(58);
      const refused = await limiters[1]?.take("key_a", 60, "request");
      expect(refused).toMatchObject({ isAllowed: false, limit: 60, remaining: 0 });
      expect(refused?.resetSeconds).toBeGreaterThan(50);
      expect(await burst(limiters, 2, 60, "key_b")).toBe(2);
    });

    test("many at once through two processes never exceed the limit", async () => {
      const limiters = [
        createKeyLimiter(createRedisWindows(await openProcess())),
        createKeyLimiter(createRedisWindows(await openProcess())),
      ];
      for (const key of ["one", "two", "three"]) {
        const admitted = await burst(limiters, 200, 60, key);
        expect(admitted).toBeLessThanOrEqual(60);
      }
    });

    test("a channel's second and minute are shared, and one that was uncounted is free for another process", async () => {
      const [a, b] = [
        createChannelLimiter(createRedisWindows(await openProcess())),
        createChannelLimiter(createRedisWindows(await openProcess())),
      ];
      const channel = { id: "ch", requestsPerSecond: 0, requestsPerMinute: 4 };
      for (const limiter of [a, a, a, b]) expect(await limiter.take(channel)).toBe(0);
      expect(await b.take(channel)).toBeGreaterThan(55_000);
      a.giveBack(channel);
      await expect.poll(() => b.take(channel)).toBe(0);
      const fast = { id: "fast", requestsPerSecond: 2, requestsPerMinute: 0 };
      expect([await a.take(fast), await b.take(fast)]).toEqual([0, 0]);
      const wait = await a.take(fast);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(1000);
      expect(await a.take({ id: "open", requestsPerSecond: 0, requestsPerMinute: 0 })).toBe(0);
    });
  },
);

describe.skipIf(!hasRedis)(
  "with a Redis that fails (skipped where neither valkey-server nor redis-server is installed)",
  () => {
    eachWithRedis();

    test.each(["frozen", "killed"] as const)(
      "while Redis is %s a request waits at most a tenth of a second, and each process enforces its share",
      async (fault) => {
        const shared = await openProcess(2);
        const limiter = createKeyLimiter(createRedisWindows(shared));
        expect(await burst([limiter], 5)).toBe(5);
        if (fault === "frozen") redis.freeze();
        else await redis.kill();
        const waits: number[] = [];
        let admitted = 5;
        for (let sent = 0; sent < 60; sent++) {
          const startedAt = performance.now();
          admitted += await burst([limiter], 1);
          waits.push(performance.now() - startedAt);
        }
        expect(admitted).toBe(30);
        expect(shared.isUp).toBe(false);
        waits.sort((one, other) => one - other);
        // The first three wait for the timeout; the others do not ask Redis at all.
        expect(waits[50]).toBeLessThan(1);
        expect(waits.at(-1)).toBeLessThan(500);
        expect(said).toEqual(["up", "down"]);
      },
    );

    test.each(["a replica", "cut off from its replicas"])(
      "a Redis that is %s answers and takes no writes: it is away until it does",
      async (state) => {
        const shared = await openProcess(2);
        const limiter = createKeyLimiter(createRedisWindows(shared));
        expect(await burst([limiter], 5)).toBe(5);
        // No primary answers at that port.
        if (state === "a replica") await redis.command("replicaof", "127.0.0.1", "1");
        else await redis.command("config", "set", "min-replicas-to-write", "1");
        expect(await burst([limiter], 60)).toBe(25);
        await until(() => !shared.isUp);
        const before = said.length;
        // Longer than several probes.
        for (let sent = 0; sent < 40; sent++) {
          await burst([limiter], 1);
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        expect([shared.isUp, said.length]).toEqual([false, before]);
        if (state === "a replica") await redis.command("replicaof", "no", "one");
        else await redis.command("config", "set", "min-replicas-to-write", "0");
        await until(() => shared.isUp);
      },
    );

    test("after a change of the primary the connection to the old one, now a replica, is left", async () => {
      const next = await startTestRedis();
      onTestFinished(() => next.kill());
      const address = await DatabaseProxy.start(redis.url);
      onTestFinished(() => address.stop());
      const shared = await openProcess(2, address.url);
      const limiter = createKeyLimiter(createRedisWindows(shared));
      expect(await burst([limiter], 5)).toBe(5);
      // As Sentinel does it; nobody cuts the connection.
      await redis.command("replicaof", "127.0.0.1", String(next.port));
      address.targetPort = next.port;
      await burst([limiter], 50);
      await until(() => shared.isUp && shared.isForgetful);
      await burst([limiter], 1, 60, "key_b");
      expect(await next.command("get", "relay:epoch")).not.toBeNull();
    });

    test("when Redis is back it is used again, and for a minute the share applies as well", async () => {
      const shared = await openProcess(2);
      const limiter = createKeyLimiter(createRedisWindows(shared));
      redis.freeze();
      expect(await burst([limiter], 40)).toBe(30);
      await until(() => !shared.isUp);
      redis.thaw();
      await until(() => shared.isUp);
      expect(shared.isForgetful).toBe(true);
      expect(await burst([limiter], 10)).toBe(0);
      // A process that has just started learns of the doubt with its first request.
      const fresh = await openProcess(2);
      const other = createKeyLimiter(createRedisWindows(fresh));
      await burst([other], 1, 60, "key_other");
      expect(fresh.isForgetful).toBe(true);
      expect(await burst([other], 40)).toBeLessThanOrEqual(30);
    });

    test.each(["restarted", "flushed"])(
      "a Redis that was %s and lost its memory is noticed by the processes that used it",
      async (how) => {
        const shared = await openProcess(2);
        const limiter = createKeyLimiter(createRedisWindows(shared));
        for (let sent = 0; sent < 40; sent++) await burst([limiter], 1);
        if (how === "flushed") {
          await redis.command("flushall");
          await burst([limiter], 1, 60, "key_other");
        } else {
          await redis.kill();
          await redis.start();
        }
        await until(() => shared.isUp && shared.isForgetful);
        expect(await burst([limiter], 20)).toBe(0);
      },
    );
  },
);

test("a process starts and serves without its configured Redis", async () => {
  const startedAt = performance.now();
  const shared = await openProcess(3, "redis://127.0.0.1:1");
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(shared.isUp).toBe(false);
  expect(await burst([createKeyLimiter(createRedisWindows(shared))], 60)).toBe(20);
  await shared.close();
});
