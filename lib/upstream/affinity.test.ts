/** Tests that a conversation stays where it is, and that weights hold over all of them. */
import { expect, test } from "vitest";
import { plainChannel } from "@/testing/upstream/plain-channel";
import { createChannelLimiter } from "../limits/channel-limiter";
import { OwnWindows } from "../limits/windows";
import { createChooser } from "./choose";
import { failureOf, ourFault } from "./failure";
import type { Channel } from "./provider";

function chooserOf(channels: readonly Channel[]) {
  const clock = () => 0;
  const limiter = createChannelLimiter(new OwnWindows(clock));
  const chooser = createChooser({ channelsFor: () => channels, limiter, clock });
  const pick = (name: string, tried: readonly Channel[] = []) =>
    chooser.pick("RelayV1", tried, "plain", () => name) as Channel;
  return { chooser, pick };
}

const COUNT = 4000;
const names = Array.from({ length: COUNT }, (_, number) => `key_1 session ${number}`);
const three = [plainChannel("ch_a"), plainChannel("ch_b"), plainChannel("ch_c", { weight: 2 })];

test("each conversation goes to one place, in all processes, and weights hold over all", () => {
  const [one, other] = [chooserOf(three), chooserOf([...three].reverse())];
  const counts: Record<string, number> = {};
  for (const name of names) {
    const { id } = one.pick(name);
    expect([one.pick(name).id, other.pick(name).id]).toEqual([id, id]);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  expect((counts.ch_a ?? 0) / COUNT).toBeCloseTo(0.25, 1);
  expect((counts.ch_b ?? 0) / COUNT).toBeCloseTo(0.25, 1);
  expect((counts.ch_c ?? 0) / COUNT).toBeCloseTo(0.5, 1);
});

test("a channel that rests or is gone moves only its own conversations, and has them again after it", () => {
  const { chooser, pick } = chooserOf(three);
  const before = names.map((name) => pick(name).id);
  const [, cooling] = three as [Channel, Channel];
  chooser.report(cooling, failureOf("upstream_failed", "status 500", { isSurelyFree: true }));
  const meanwhile = names.map((name) => pick(name).id);
  expect(meanwhile).not.toContain("ch_b");
  const moved = before.filter((id, place) => id !== meanwhile[place]);
  expect(new Set(moved)).toEqual(new Set(["ch_b"]));
  chooser.report(cooling, null);
  expect(names.map((name) => pick(name).id)).toEqual(before);
  const less = chooserOf(three.filter((each) => each !== cooling));
  expect(names.map((name) => less.pick(name).id)).toEqual(meanwhile);
});

test("a conversation stays with one credential, and moves alone when that rests", () => {
  const base = plainChannel("ch_a");
  const choices = ["main", "second", "third"].map((name, place) => ({
    ...base,
    credential: { name, weight: 1 + place },
  }));
  const { chooser, pick } = chooserOf([{ ...base, choices }]);
  const of = (name: string) => pick(name).credential?.name;
  const before = names.map(of);
  expect(before.filter((name) => name === "third").length / COUNT).toBeCloseTo(0.5, 1);
  expect(names.map(of)).toEqual(before);
  const refused = { ...ourFault("status 401"), credentialFault: "refused" as const };
  chooser.report(choices[0] as Channel, refused);
  const after = names.map(of);
  expect(after).not.toContain("main");
  expect(after.filter((name, place) => name !== before[place]).length).toBe(
    before.filter((name) => name === "main").length,
  );
});

test("limits and priorities hold, and the next in turn is the same each time", () => {
  const low = plainChannel("ch_low", { priority: -1 });
  const { chooser, pick } = chooserOf([
    low,
    plainChannel("ch_x", { requestsPerMinute: 1 }),
    three[0] as Channel,
  ]);
  const [name] = names.filter((each) => pick(each).id === "ch_x");
  expect(pick(name as string).id).toBe("ch_a");
  expect(chooser.cooldownOf("ch_x")).toBe(0);
  expect(pick(name as string, [plainChannel("ch_a"), plainChannel("ch_x")]).id).toBe("ch_low");
});

test("what names the conversation is not read where there is one place to go to", () => {
  const { chooser } = chooserOf([plainChannel("ch_a")]);
  const fail = () => {
    throw new Error("it was read");
  };
  expect((chooser.pick("RelayV1", [], "plain", fail) as Channel).id).toBe("ch_a");
});
