/** Cooldowns of channels over several workers, each with cooldowns of its own. */
import { expect, test } from "vitest";
import type { ChannelEvent } from "../cluster/channel-news";
import { refusalReasons } from "../contract/states";
import { type ChannelCooldowns, createChannelRests } from "./channel-cooldowns";
import { failureOf } from "./failure";
import type { Channel } from "./provider";

const channel = { id: "ch" } as Channel;
const failed = failureOf("upstream_failed", "status 500", { isSurelyFree: true });

function crew(count: number) {
  const time = { now: 1 };
  const told: ChannelEvent[] = [];
  const workers: ChannelCooldowns[] = Array.from({ length: count }, (_, place) =>
    createChannelRests(
      () => time.now,
      (event) => {
        told.push(event);
        for (const [other, cooldowns] of workers.entries())
          if (other !== place) cooldowns.hear(event);
      },
    ),
  );
  const [one, other] = workers;
  if (!one || !other) throw new Error("too few workers");
  return { time, told, one, other };
}

test("a channel that fails at one worker rests at all, until an answer at any of them", () => {
  const { time, told, one, other } = crew(3);
  one.report(channel, failed);
  other.report(channel, failed);
  expect([one.cooldownOf("ch"), other.cooldownOf("ch")]).toEqual([10_000, 10_000]);
  time.now += 10_000;
  other.report(channel, failed);
  expect(one.cooldownOf("ch")).toBe(20_000);
  other.report(channel, null);
  expect([one.cooldownOf("ch"), other.cooldownOf("ch")]).toEqual([0, 0]);
  expect(told.map(({ what }) => what)).toEqual(["trouble", "trouble", "answer"]);
});

test("a channel is in cooldown at all workers as long as its upstream asks, at most five minutes, and never less than usual", () => {
  const { time, told, one, other } = crew(2);
  const busy = failureOf("upstream_concurrency_exceeded", "status 429", { isSurelyFree: true });
  one.report(channel, { ...busy, waitSeconds: 40 });
  expect([one.cooldownOf("ch"), other.cooldownOf("ch")]).toEqual([40_000, 40_000]);
  // A request that ran beside it was told the same, and another one a longer time.
  other.report(channel, { ...busy, waitSeconds: 40 });
  expect(told).toHaveLength(1);
  other.report(channel, { ...busy, waitSeconds: 86_400 });
  expect([one.cooldownOf("ch"), other.cooldownOf("ch")]).toEqual([300_000, 300_000]);
  time.now += 300_000;
  one.report(channel, { ...busy, waitSeconds: 2 });
  expect([one.cooldownOf("ch"), other.cooldownOf("ch")]).toEqual([10_000, 10_000]);
});

test("a request that was refused for what is in it is no reason for a cooldown", () => {
  const { told, one } = crew(2);
  for (const code of refusalReasons)
    one.report(channel, failureOf(code, "", { isSurelyFree: true }));
  expect([one.cooldownOf("ch"), told]).toEqual([0, []]);
});

test("answers without usage are counted over all workers, and many are told once a second", () => {
  const { told, one, other } = crew(2);
  expect([one.reportUsage(channel, false), other.reportUsage(channel, false)]).toEqual([
    false,
    false,
  ]);
  expect(one.reportUsage(channel, false)).toBe(true);
  expect([one.givesUsage("ch"), other.givesUsage("ch")]).toEqual([false, false]);
  for (let count = 0; count < 1000; count++) one.reportUsage(channel, false);
  expect(told.length).toBeLessThan(6);
  other.reportUsage(channel, true);
  expect([one.givesUsage("ch"), one.cooldownOf("ch")]).toEqual([true, 0]);
});

test("usage above its bound at any worker makes all of them hold for the maximum", () => {
  const { one, other } = crew(2);
  for (const cooldowns of [one, other, one]) cooldowns.reportOverBound(channel);
  expect([one.keepsBound("ch"), other.keepsBound("ch")]).toEqual([false, false]);
  expect(other.cooldownOf("ch")).toBe(300_000);
});

test("answers of a healthy channel tell nobody anything", () => {
  const { told, one } = crew(2);
  for (let count = 0; count < 100; count++) {
    one.report(channel, null);
    one.reportUsage(channel, true);
  }
  expect(told).toEqual([]);
});

test("a new worker learns what the others know, by its own clock, and forgets nothing of its own", () => {
  const { time, one, other } = crew(2);
  one.report(channel, failed);
  time.now += 4000;
  for (let count = 0; count < 3; count++) {
    one.reportUsage({ ...channel, id: "blind" }, false);
    one.reportOverBound({ ...channel, id: "over" });
  }
  one.report({ ...channel, id: "well" }, null);
  const told = one.told();
  expect(told.map(({ channelId }) => channelId).sort()).toEqual(["blind", "ch", "over"]);

  const late = { now: 900_000 };
  const newcomer = createChannelRests(() => late.now);
  newcomer.learn(JSON.parse(JSON.stringify(told)));
  const all = ["ch", "blind", "over", "well"];
  expect(all.map(newcomer.cooldownOf)).toEqual(all.map(other.cooldownOf));
  expect(newcomer.cooldownOf("ch")).toBe(6000);
  expect([newcomer.givesUsage("blind"), newcomer.keepsBound("over")]).toEqual([false, false]);
  late.now += 6000;
  newcomer.report(channel, failed);
  expect(newcomer.cooldownOf("ch")).toBe(20_000);
  newcomer.learn(told);
  expect(newcomer.cooldownOf("ch")).toBe(20_000);
});
