/** Tests what a channel's profile changes in the requests that it serves. */
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { completion, type Script, sendJson, usageOf } from "@/testing/upstream/test-upstream";

const usage = usageOf(10, 5);
const answers: Script = (response) => sendJson(response, completion("hi", { usage }));
const whole = { plainUsage: true, streamUsage: false };
const charged = { outcome: "settled", amount: 10 * 80 + 5 * 800, losses: [] };

const setup = await scriptedRelay();
const lastEnd = async () => (await setup.relay.ends()).at(-1);

test.each([
  [{ maxTokens: true, maxCompletionTokens: false }, {}, "max_tokens"],
  [{ maxTokens: false, maxCompletionTokens: true }, {}, "max_completion_tokens"],
  [{ maxCompletionTokens: false }, { outputCap: "max_completion_tokens" as const }, "max_tokens"],
  [{ maxTokens: false }, { outputCap: "max_tokens" as const }, "max_completion_tokens"],
  [{ maxTokens: false }, { outputCap: "none" as const }, "max_completion_tokens"],
])(
  "at a channel of which %j is known, with %j, the cap is sent as %s",
  async (profile, more, name) => {
    setup.script = answers;
    setup.relay.setting.channels = [setup.upstream.channel({ profile, ...more })];
    for (const given of ["max_tokens", "max_completion_tokens"]) {
      expect((await setup.relay.chat({ [given]: 7 })).status).toBe(200);
      const { max_tokens, max_completion_tokens } = setup.upstream.seen.at(-1)?.body ?? {};
      expect({ max_tokens, max_completion_tokens }).toEqual({
        max_tokens: undefined,
        max_completion_tokens: undefined,
        [name]: 7,
      });
    }
  },
);

test.each([{}, { maxTokens: true, maxCompletionTokens: true }, { maxTokens: true }])(
  "at a channel of which %j is known, the client's own name of the cap is sent",
  async (profile) => {
    setup.script = answers;
    setup.relay.setting.channels = [setup.upstream.channel({ profile })];
    for (const given of ["max_tokens", "max_completion_tokens"]) {
      await setup.relay.chat({ [given]: 7 });
      expect(setup.upstream.seen.at(-1)?.body[given]).toBe(7);
    }
  },
);

test("a stream from an answer has its tool calls, its reason and its usage, as the client's library sums them", async () => {
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: '{"a":1}' } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
  setup.script = (response) => sendJson(response, completion("", { choices, usage }));
  setup.relay.setting.channels = [setup.upstream.channel({ profile: whole })];
  const { text } = await setup.relay.chat({
    stream: true,
    stream_options: { include_usage: true },
  });
  const events = text.trim().split("\n\n");
  expect(events.at(-1)).toBe("data: [DONE]");
  const chunks = events.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)));
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { ...usage, points: 0.0048 } });
  expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: "tool_calls" });
  expect(chunks[0].choices[0].delta).toEqual({ role: "assistant", content: "" });
  expect(chunks[1].choices[0].delta.tool_calls).toMatchObject([{ index: 0, id: "call_1" }]);
  for (const chunk of chunks)
    expect(chunk).toMatchObject({ object: "chat.completion.chunk", model: "RelayV1" });
  expect(await lastEnd()).toMatchObject(charged);
});

test("a stream from an answer moves on to another channel, of either kind, before it has begun", async () => {
  const busy = setup.upstream.channel({ profile: whole, priority: 2, models: { RelayV1: "busy" } });
  for (const next of [setup.upstream.channel({ profile: whole }), setup.upstream.channel()]) {
    setup.script = (response, { body }, count) => {
      if (body.model === "busy") return sendJson(response, "{}", 503);
      if (body.stream !== true) return answers(response, {} as never, count);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        `data: ${completion("hi", { usage }).replace("message", "delta")}\n\ndata: [DONE]\n\n`,
      );
    };
    setup.relay.setting.channels = [busy, next];
    const { status, text } = await setup.relay.chat({ stream: true });
    expect([status, text.includes("hi")]).toEqual([200, true]);
    expect(setup.upstream.seen.at(-1)?.body.stream).toBe(next.profile ? undefined : true);
    expect(await lastEnd()).toMatchObject(charged);
  }
});

test("where no channel serves streams a stream is refused with the reason, and nothing is held", async () => {
  setup.script = answers;
  setup.relay.setting.channels = [setup.upstream.channel({ profile: whole, streams: "none" })];
  const known = (await setup.relay.ends()).length;
  const { status, json } = await setup.relay.chat({ stream: true });
  expect([status, json.error]).toMatchObject([400, { code: "unsupported_value", param: "stream" }]);
  expect((await setup.relay.ends()).length).toBe(known);
  expect((await setup.relay.chat()).status).toBe(200);
  const { dialect } = {
    dialect: await setup.relay.send("/v1/messages", {
      body: JSON.stringify({
        model: "RelayV1",
        max_tokens: 5,
        stream: true,
        messages: [{ role: "user", content: "hi" }],
      }),
    }),
  };
  expect([dialect.status, dialect.json.type]).toEqual([400, "error"]);
});

test.each([false, true])(
  "three answers in a row without usage rest the channel and raise the alarm (stream: %s)",
  async (stream) => {
    setup.script = (response) => sendJson(response, completion("hi"));
    const loose = setup.upstream.channel({ priority: 2, profile: whole });
    setup.relay.setting.channels = [
      loose,
      setup.upstream.channel({ models: { RelayV1: "sound" } }),
    ];
    const known = setup.relay.alarms.length;
    for (let count = 0; count < 3; count++) {
      expect((await setup.relay.chat({ stream })).status).toBe(200);
      expect(await lastEnd()).toMatchObject({ amount: 0, losses: ["usage_missing"] });
    }
    expect(setup.relay.alarms.slice(known).map(({ alarm }) => alarm)).toEqual([
      ...Array(3).fill("usage_missing"),
      "channel_without_usage",
    ]);
    setup.script = answers;
    await setup.relay.chat();
    expect(setup.upstream.seen.at(-1)?.body.model).toBe("sound");
  },
);
