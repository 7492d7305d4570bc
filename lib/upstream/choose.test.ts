import { expect, test } from "vitest";
import { plainChannel } from "@/testing/upstream/plain-channel";
import { isRelayError } from "../failures/relay-error";
import { createChannelLimiter } from "../limits/channel-limiter";
import { OwnWindows } from "../limits/windows";
import { type Chooser, createChooser } from "./choose";
import { failureOf } from "./failure";
import type { Channel } from "./provider";

function chooserOf(channels: readonly Channel[]) {
  const time = { now: 0 };
  const clock = () => time.now;
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return {
    time,
    chooser: createChooser({
      channelsFor: () => channels,
      limiter: createChannelLimiter(new OwnWindows(clock)),
      clock,
      random,
    }),
  };
}

/** These limits are in this process's memory, so the answer is no promise. */
const picked = (
  chooser: Chooser,
  model: string,
  tried: readonly Channel[],
  form?: "plain" | "stream",
) => chooser.pick(model, tried, form) as Channel;

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return isRelayError(error) ? `${error.code} ${error.retryAfterSeconds}` : String(error);
  }
  return "none";
};

test("the highest priority comes first, and weights divide equal ones", () => {
  const { chooser } = chooserOf([
    plainChannel("low", { priority: 1 }),
    plainChannel("heavy", { priority: 5, weight: 3 }),
    plainChannel("light", { priority: 5 }),
  ]);
  const picks: Record<string, number> = {};
  for (let count = 0; count < 4000; count++) {
    const { id } = picked(chooser, "RelayV1", []);
    picks[id] = (picks[id] ?? 0) + 1;
  }
  expect(picks.low).toBeUndefined();
  expect(picks.heavy).toBeGreaterThan(2850);
  expect(picks.heavy).toBeLessThan(3150);
});

test("a channel over its limits is skipped, and when all are, the request is rejected with the wait", () => {
  const first = plainChannel("first", { priority: 2, requestsPerSecond: 1 });
  const second = plainChannel("second", { priority: 1, requestsPerMinute: 1 });
  const { chooser, time } = chooserOf([first, second]);
  expect([picked(chooser, "RelayV1", []).id, picked(chooser, "RelayV1", []).id]).toEqual([
    "first",
    "second",
  ]);
  expect(codeOf(() => picked(chooser, "RelayV1", []))).toBe("upstream_concurrency_exceeded 1");
  chooser.giveBack(first);
  expect(picked(chooser, "RelayV1", []).id).toBe("first");
  time.now = 1000;
  expect(picked(chooser, "RelayV1", []).id).toBe("first");
});

test("a failing channel is in cooldown while another one exists, and is used when none does", () => {
  const channels = [
    plainChannel("first", { priority: 2 }),
    plainChannel("second", { priority: 1 }),
  ];
  const { chooser, time } = chooserOf(channels);
  chooser.report(channels[0] as Channel, failureOf("upstream_failed", "", { isSurelyFree: true }));
  expect(picked(chooser, "RelayV1", []).id).toBe("second");
  chooser.report(channels[1] as Channel, failureOf("upstream_timeout", ""));
  expect(picked(chooser, "RelayV1", []).id).toBe("first");
  time.now = 10_000;
  expect(picked(chooser, "RelayV1", []).id).toBe("first");
});

test("a channel that fails again after its cooldown cools down twice as long, up to five minutes, until it succeeds; a busy one does not", () => {
  const channels = [
    plainChannel("first", { priority: 2 }),
    plainChannel("second", { priority: 1 }),
  ];
  const { chooser, time } = chooserOf(channels);
  const first = channels[0] as Channel;
  const cooldowns: number[] = [];
  for (let count = 0; count < 7; count++) {
    // Requests that ran in parallel and failed together count as one failure.
    for (let run = 0; run < 50; run++)
      chooser.report(first, failureOf("no_channel_available", "", { isOperatorFault: true }));
    expect(picked(chooser, "RelayV1", []).id).toBe("second");
    cooldowns.push(chooser.cooldownOf("first"));
    time.now += chooser.cooldownOf("first");
    expect(picked(chooser, "RelayV1", []).id).toBe("first");
  }
  expect(cooldowns).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  chooser.report(first, null);
  for (let count = 0; count < 3; count++) {
    chooser.report(first, failureOf("upstream_concurrency_exceeded", "", { isSurelyFree: true }));
    expect(chooser.cooldownOf("first")).toBe(10_000);
    time.now += 10_000;
  }
  chooser.report(first, failureOf("content_rejected", ""));
  expect([chooser.cooldownOf("first"), chooser.cooldownOf("second")]).toEqual([0, 0]);
});

test("a channel in cooldown is still tried when all others are over their limits", () => {
  const channels = [
    plainChannel("first", { priority: 2 }),
    plainChannel("second", { priority: 1, requestsPerMinute: 1 }),
  ];
  const { chooser } = chooserOf(channels);
  chooser.report(channels[0] as Channel, failureOf("upstream_timeout", ""));
  expect([picked(chooser, "RelayV1", []).id, picked(chooser, "RelayV1", []).id]).toEqual([
    "second",
    "first",
  ]);
});

test("three answers in a row without usage put a channel in cooldown", () => {
  const channels = [
    plainChannel("first", { priority: 2 }),
    plainChannel("second", { priority: 1 }),
  ];
  const { chooser } = chooserOf(channels);
  for (let count = 0; count < 4; count++) {
    expect(picked(chooser, "RelayV1", []).id).toBe("first");
    chooser.reportUsage(channels[0] as Channel, false);
    if (count === 0) chooser.reportUsage(channels[0] as Channel, true);
  }
  expect(picked(chooser, "RelayV1", []).id).toBe("second");
});

test("a tried channel is not tried again, and having no channel is a different error from busy ones", () => {
  const only = plainChannel("only");
  const { chooser } = chooserOf([only]);
  expect(codeOf(() => picked(chooser, "RelayV1", [only]))).toBe("no_channel_available 5");
  expect(codeOf(() => picked(chooserOf([]).chooser, "RelayV1", []))).toBe("no_channel_available 5");
});

test("of text, a channel serves the forms of answer that its profile says can be billed", () => {
  const profiles = {
    untested: null,
    whole: { plainUsage: true, streamUsage: false },
    streams: { plainUsage: false, streamUsage: true },
    unbilled: { plainUsage: false, streamUsage: false },
    unbounded: { maxTokens: false, maxCompletionTokens: false },
  };
  const served = (id: keyof typeof profiles, overrides: Partial<Channel> = {}) =>
    (["plain", "stream"] as const).map((form) => {
      const { chooser } = chooserOf([plainChannel(id, { profile: profiles[id], ...overrides })]);
      return codeOf(() => picked(chooser, "RelayV1", [], form));
    });
  const nobody = "no_channel_available 5";
  expect(served("untested")).toEqual(["none", "none"]);
  expect(served("whole")).toEqual(["none", "none"]);
  expect(served("whole", { streams: "none" })).toEqual(["none", "unsupported_value undefined"]);
  expect(served("untested", { streams: "none" })).toEqual(["none", "none"]);
  expect(served("streams")).toEqual([nobody, "none"]);
  expect(served("unbilled")).toEqual([nobody, nobody]);
  expect(served("unbounded")).toEqual([nobody, nobody]);
});

test("a channel that serves no streams is skipped for a stream; without another, the client is refused", () => {
  const whole = { profile: { plainUsage: true, streamUsage: false }, streams: "none" } as const;
  const channels = [
    plainChannel("first", { priority: 2, ...whole }),
    plainChannel("second", { priority: 1 }),
  ];
  const { chooser } = chooserOf(channels);
  const pick = (form: "plain" | "stream", tried: Channel[] = []) =>
    picked(chooser, "RelayV1", tried, form).id;
  expect([pick("plain"), pick("stream")]).toEqual(["first", "second"]);
  expect(codeOf(() => pick("stream", [channels[1] as Channel]))).toBe("no_channel_available 5");
  const alone = chooserOf(channels.slice(0, 1)).chooser;
  expect(() => picked(alone, "RelayV1", [], "stream")).toThrow(
    expect.objectContaining({ param: "stream", fault: { name: "no_streams" } }),
  );
});

test("a cooldown for missing usage is not ended by an answer, goes on with each further one, and ends with usage", () => {
  const channels = [
    plainChannel("first", { priority: 2 }),
    plainChannel("second", { priority: 1 }),
  ];
  const { chooser, time } = chooserOf(channels);
  const first = channels[0] as Channel;
  const answer = (isBillable: boolean) => {
    chooser.report(first, null);
    return chooser.reportUsage(first, isBillable);
  };
  expect([answer(false), answer(false), answer(false), answer(false)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(chooser.cooldownOf("first")).toBe(300_000);
  expect(picked(chooser, "RelayV1", []).id).toBe("second");
  time.now = 300_000;
  expect(picked(chooser, "RelayV1", []).id).toBe("first");
  expect(answer(false)).toBe(true);
  expect(answer(true)).toBe(false);
  expect(chooser.cooldownOf("first")).toBe(0);
});
