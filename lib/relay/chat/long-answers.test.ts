/**
 * Tests answers that take long: they are delivered, or cut by the relay, which charges their usage
 * and records the reason.
 */
import type { ServerResponse } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { chunk, streamType, usageChunk, usageOf } from "@/testing/upstream/test-upstream";
import { deadlinesOf } from "../../upstream/transport/chat-calls";

const silence = { firstByteMs: 2_000, idleMs: 600 };

const setup = await scriptedRelay(() => ({ channels: [], points: "100000", silence }));
beforeEach(() => {
  setup.relay.setting.channels = [setup.upstream.channel()];
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const lastEvent = (text: string) =>
  JSON.parse((text.trim().split("\n\n").at(-1) as string).slice(6));
const lastEnd = async () => (await setup.relay.ends()).at(-1);

test("an answer may be silent for 5 minutes before it starts and 60 s within it, and take 30 minutes or its channel's own time", () => {
  expect(deadlinesOf(null)).toEqual({
    firstByteMs: 300_000,
    idleMs: 60_000,
    totalMs: 1_800_000,
    detachedMs: 600_000,
  });
  expect(deadlinesOf(20)).toEqual({
    firstByteMs: 20_000,
    idleMs: 20_000,
    totalMs: 20_000,
    detachedMs: 20_000,
  });
  expect(deadlinesOf(3600)).toEqual({
    firstByteMs: 300_000,
    idleMs: 60_000,
    totalMs: 3_600_000,
    detachedMs: 600_000,
  });
});

test.each(["silence", "total"])(
  "a stream cut by us for its %s is charged the usage that its upstream reports later",
  async (why) => {
    if (why === "total")
      setup.relay.setting.channels = [setup.upstream.channel({ timeoutSeconds: 1 })];
    setup.script = async (response) => {
      response.writeHead(200, streamType).write(chunk({ content: "a" }));
      const until = performance.now() + 1_500;
      while (performance.now() < until) {
        await pause(100);
        if (why === "total") response.write(chunk({ content: "b" }));
      }
      response.end(
        `${chunk({ content: "late" })}${chunk({}, {}, "stop")}${usageChunk(usageOf(5, 900))}data: [DONE]\n\n`,
      );
    };
    const { status, text } = await setup.relay.chat({ stream: true });
    expect(status).toBe(200);
    expect(lastEvent(text)).toMatchObject({
      error: { code: "upstream_timeout", message: expect.stringContaining("charged") },
    });
    expect(text).not.toContain("late");
    expect(text).not.toContain("[DONE]");
    expect(await lastEnd()).toMatchObject({
      outcome: "settled",
      amount: 5 * 80 + 900 * 800,
      reason: "upstream_timeout",
      losses: [],
    });
  },
);

test("a stream cut by us that never reports its end is charged the last usage it reported", async () => {
  setup.relay.setting.channels = [setup.upstream.channel({ timeoutSeconds: 1 })];
  setup.script = async (response) => {
    response.writeHead(200, streamType);
    for (let count = 1; !response.destroyed; count++) {
      response.write(chunk({ content: "a" }, { usage: usageOf(5, count) }));
      await pause(50);
    }
  };
  expect(lastEvent((await setup.relay.chat({ stream: true })).text)).toMatchObject({
    error: { code: "upstream_timeout" },
  });
  const end = await lastEnd();
  expect(end).toMatchObject({ outcome: "settled", reason: "upstream_timeout", losses: [] });
  expect(end?.output).toBeGreaterThan(10);
});

test("a stream cut by us without any usage is a loss with its reason, and is always recorded", async () => {
  setup.relay.setting.channels = [setup.upstream.channel({ timeoutSeconds: 1 })];
  setup.script = (response) =>
    void response.writeHead(200, streamType).write(chunk({ content: "a" }));
  expect(lastEvent((await setup.relay.chat({ stream: true })).text)).toMatchObject({
    error: { code: "upstream_timeout" },
  });
  expect(await lastEnd()).toMatchObject({
    outcome: "released",
    reason: "upstream_timeout",
    losses: ["usage_missing"],
  });
});

test("an unusable chunk ends a stream for its client, and the usage that follows is charged", async () => {
  setup.script = (response) =>
    void response
      .writeHead(200, streamType)
      .end(
        `${chunk({ content: "a" })}data: nonsense\n\ndata: ${"x".repeat(2_000_000)}\n\n${usageChunk(usageOf(5, 7))}data: [DONE]\n\n`,
      );
  expect(lastEvent((await setup.relay.chat({ stream: true })).text)).toMatchObject({
    error: { code: "upstream_bad_response" },
  });
  expect(await lastEnd()).toMatchObject({
    outcome: "settled",
    output: 7,
    reason: "upstream_bad_response",
  });
});

test("comments and white space do not count as silence: an answer that reasons for long arrives", async () => {
  const wait = async (response: ServerResponse, sign: string) => {
    for (let count = 0; count < 25; count++) {
      response.write(sign);
      await pause(100);
    }
  };
  setup.script = async (response, { body }) => {
    response.writeHead(200, body.stream ? streamType : { "content-type": "application/json" });
    await wait(response, body.stream ? ": thinking\n\n" : "\n");
    if (body.stream)
      response.end(
        `${chunk({ content: "a" })}${chunk({}, {}, "stop")}${usageChunk(usageOf(5, 1))}data: [DONE]\n\n`,
      );
    else
      response.end(
        JSON.stringify({ id: "x", choices: [{ message: { content: "a" } }], usage: usageOf(5, 1) }),
      );
  };
  for (const stream of [false, true]) {
    const answer = await setup.relay.chat({ stream });
    expect(answer.status).toBe(200);
    if (stream) expect(answer.text).toContain("[DONE]");
    expect(await lastEnd()).toMatchObject({ outcome: "settled", output: 1 });
  }
});
