import { expect, test } from "vitest";
import { createKeyLimiter } from "./key-limiter";
import { createRedisWindows } from "./redis-windows";
import type { SharedWindows } from "./shared-windows";
import { OwnWindows } from "./windows";

const clock = () => 1;

/** What all processes share, as Redis does, or no answer while it hangs. */
function openShared(
  all: OwnWindows,
  state: { isUp: boolean; isForgetful: boolean; hangs: boolean },
) {
  const shared: SharedWindows = {
    get isUp() {
      return state.isUp;
    },
    get isForgetful() {
      return state.isForgetful;
    },
    processes: 2,
    take: async (windows) => (state.hangs ? null : all.take(windows)),
    giveBack: (names) => all.giveBack(names.map((name) => ({ name, windowMs: 0, limit: 0 }))),
    close: async () => {},
  };
  return createRedisWindows(shared, new OwnWindows(clock));
}

async function admitted(limiters: readonly ReturnType<typeof createKeyLimiter>[], count: number) {
  let passed = 0;
  for (let sent = 0; sent < count; sent++) {
    const taken = await limiters[sent % limiters.length]?.take("key", 10, "request");
    if (taken?.isAllowed) passed++;
  }
  return passed;
}

test("processes share a limit; without an answer each has its part, and counts what it admitted before", async () => {
  const all = new OwnWindows(clock);
  const state = { isUp: true, isForgetful: false, hangs: false };
  const limiters = [openShared(all, state), openShared(all, state)].map((windows) =>
    createKeyLimiter(windows),
  );
  expect(await admitted(limiters, 4)).toBe(4);
  expect(await limiters[0]?.take("key", 10, "request")).toMatchObject({
    isAllowed: true,
    limit: 10,
    remaining: 5,
  });
  state.hangs = true;
  // Three were admitted by the first and two by the second: five each are their parts.
  expect(await admitted(limiters, 8)).toBe(5);
  state.isUp = false;
  expect(await limiters[0]?.take("key", 10, "request")).toMatchObject({
    isAllowed: false,
    remaining: 0,
  });
});

test("while the shared counts are incomplete a process admits no more than its part, and gives back the rest", async () => {
  const all = new OwnWindows(clock);
  const state = { isUp: true, isForgetful: true, hangs: false };
  const limiter = createKeyLimiter(openShared(all, state));
  expect(await admitted([limiter], 10)).toBe(5);
  const minute = { name: "key:key:request", windowMs: 60_000, limit: 10 };
  expect(all.look([minute]).used).toBe(5);
  state.isForgetful = false;
  expect(await admitted([limiter], 10)).toBe(5);
  expect(all.look([minute]).used).toBe(10);
});
