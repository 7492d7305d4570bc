/** Tests which fields of a chat request are passed upstream, and how much is held for them. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hello, openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import {
  completion,
  type Script,
  sendJson,
  startUpstream,
  type TestUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { passingChatFields } from "../../contract/chat-fields";

let upstream: TestUpstream;
let relay: TestRelay;
let script: Script;

/** Uses 8,001 tokens when the request turns reasoning on, whatever the cap. */
const thinker: Script = (response, { body }) => {
  const thinks = (body.thinking as { type?: string } | undefined)?.type === "enabled";
  sendJson(
    response,
    completion("x".repeat(thinks ? 32_000 : 1), { usage: usageOf(5, thinks ? 8_001 : 1) }),
  );
};
/** Reasons without being told to, and does not count its reasoning against the cap. */
const alwaysThinks: Script = (response) =>
  sendJson(response, completion("x", { usage: usageOf(5, 8_001) }));

beforeAll(async () => {
  upstream = await startUpstream((...args) => script(...args));
  relay = await openTestRelay({ channels: [upstream.channel()] });
});
beforeEach(() => {
  script = thinker;
  relay.setting.channels = [upstream.channel()];
});
afterAll(async () => {
  await relay.close();
  await upstream.close();
});

const sent = () => upstream.seen.at(-1)?.body as Record<string, unknown>;
const ignored = (headers: Headers) => headers.get("x-relay-ignored-fields");

test("max_tokens 1 with thinking: the field does not reach the upstream, and one token is charged", async () => {
  const { status, headers, json } = await relay.chat({
    max_tokens: 1,
    thinking: { type: "enabled" },
  });
  expect(status).toBe(200);
  expect(sent()).toEqual({ model: "upstream-name", max_tokens: 1, messages: hello });
  expect(ignored(headers)).toBe("thinking");
  expect((json.usage as { completion_tokens: number }).completion_tokens).toBe(1);
  expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "settled", output: 1, losses: [] });
});

test("a channel that allows thinking holds the model's maximum, and the 8,001 tokens are charged", async () => {
  relay.setting.channels = [upstream.channel({ allowedFields: ["thinking"] })];
  const { status, headers } = await relay.chat({ max_tokens: 1, thinking: { type: "enabled" } });
  expect(status).toBe(200);
  expect(sent()).toMatchObject({ max_tokens: 1, thinking: { type: "enabled" } });
  expect(ignored(headers)).toBeNull();
  const end = (await relay.ends()).at(-1);
  expect(end).toMatchObject({
    outcome: "settled",
    output: 8_001,
    amount: 5 * 80 + 8_001 * 800,
    losses: [],
  });
  expect(end?.held).toBeGreaterThanOrEqual(16_384 * 800);
  const quote = await relay.send("/v1/quote", {
    body: JSON.stringify({
      endpoint: "createChatCompletion",
      model: "RelayV1",
      messages: hello,
      max_tokens: 1,
      thinking: { type: "enabled" },
    }),
  });
  expect(quote.json.hold_points).toBe((end?.held ?? 0) / 1e6);
  // A request without the field holds the usual amount.
  expect((await relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect((await relay.ends()).at(-1)?.held).toBeLessThan(100_000);
});

test("an account that cannot afford the model's maximum is refused where the cap does not bind, and nothing is sent", async () => {
  const channel = upstream.channel({ allowedFields: ["thinking"] });
  const poor = await openTestRelay({ channels: [channel], points: "5" });
  const known = upstream.seen.length;
  const answer = await poor.chat({ max_tokens: 1, thinking: { type: "enabled" } });
  expect(answer).toMatchObject({ status: 402, json: { error: { code: "insufficient_points" } } });
  poor.setting.channels = [upstream.channel({ protocol: "ark" })];
  expect((await poor.chat({ max_tokens: 1 })).status).toBe(402);
  expect(upstream.seen.length).toBe(known);
  await poor.close();
});

test("a retry at another channel happens only where the hold covers that channel's terms", async () => {
  const [busy, dear, last] = [
    upstream.channel({ priority: 3 }),
    upstream.channel({ priority: 2, outputCap: "none" }),
    upstream.channel({ priority: 1, models: { RelayV1: "last" } }),
  ];
  relay.setting.channels = [busy, dear, last];
  let asked = 0;
  script = (response, request, count) =>
    ++asked === 1 ? sendJson(response, "{}", 503) : thinker(response, request, count);
  expect((await relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect(asked).toBe(2);
  expect(sent().model).toBe("last");
});

const costly = {
  thinking: { type: "enabled" },
  enable_thinking: true,
  thinking_budget: 8000,
  reasoning: { max_tokens: 9000 },
  prediction: { type: "content", content: "x" },
  max_new_tokens: 9000,
  max_output_tokens: 9000,
  min_tokens: 9000,
  num_beams: 8,
  use_beam_search: true,
  num_return_sequences: 8,
  enable_search: true,
  extra_body: { thinking: {} },
  chat_template_kwargs: { enable_thinking: true },
};

test.each([false, true])(
  "fields that could cost more than the cap are removed and named, wherever they are (stream: %s)",
  async (stream) => {
    const { status, headers } = await relay.chat({ ...costly, stream });
    if (!stream) expect(status).toBe(200);
    expect(Object.keys(sent()).sort()).toEqual(
      ["max_tokens", "messages", "model", ...(stream ? ["stream", "stream_options"] : [])].sort(),
    );
    expect(ignored(headers)?.split(", ").sort()).toEqual(Object.keys(costly).sort());
  },
);

test("tools other than functions, and members of messages that could cost, are removed", async () => {
  const search = { type: "web_search", web_search: { enable: true } };
  const own = {
    type: "function",
    function: { name: "f", parameters: { type: "object", anything: 1 } },
  };
  const messages = [
    {
      role: "user",
      content: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }],
      audio: { id: "x" },
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
      name: "n",
    },
    { role: "tool", tool_call_id: "1", content: "r" },
  ];
  const first = await relay.chat({
    messages,
    tools: [search, { ...own, cache_control: {} }, "x"],
    tool_choice: "auto",
  });
  expect(sent()).toMatchObject({ tools: [own], tool_choice: "auto" });
  expect(sent().messages).toEqual([
    { role: "user", content: [{ type: "text", text: "a" }] },
    messages[1],
    messages[2],
  ]);
  expect(ignored(first.headers)).toBe(
    "messages.audio, messages.content.cache_control, tools.web_search, tools, tools.cache_control",
  );
  const second = await relay.chat({
    tools: [search],
    tool_choice: { type: "web_search" },
    parallel_tool_calls: true,
  });
  expect(sent()).toEqual({ model: "upstream-name", max_tokens: 16_384, messages: hello });
  expect(ignored(second.headers)).toBe("tools.web_search, tool_choice");
});

test("every listed field is passed unchanged, and each states why its cost is bounded", async () => {
  const values: Record<string, unknown> = {
    temperature: 0.1,
    tools: [{ type: "function", function: { name: "f" } }],
    tool_choice: { type: "function", function: { name: "f" } },
    response_format: {
      type: "json_schema",
      json_schema: { name: "x", schema: { type: "object" } },
    },
    stop: ["a"],
    logprobs: true,
    top_logprobs: 20,
    service_tier: "auto",
    modalities: ["text"],
    metadata: { a: "b" },
    messages: hello,
  };
  const given = Object.fromEntries(
    Object.keys(passingChatFields).map((name) => [name, values[name] ?? "low"]),
  );
  const { headers } = await relay.chat(given);
  expect(sent()).toEqual({ ...given, model: "upstream-name", max_tokens: 16_384 });
  expect(ignored(headers)).toBeNull();
  for (const [name, why] of Object.entries(passingChatFields))
    expect(why.length, name).toBeGreaterThan(10);
});

test("the header that names removed fields is bounded and valid, whatever their names", async () => {
  const names = [
    ...Array.from({ length: 96 }, (_, index) => `field_${index}`),
    "a\r\nb: c",
    "é",
    "x".repeat(100),
    "",
  ];
  const { status, headers } = await relay.chat(Object.fromEntries(names.map((name) => [name, 1])));
  expect(status).toBe(200);
  expect(ignored(headers)?.split(", ")).toHaveLength(21);
  expect(ignored(headers)).toMatch(/\+80$/);
  expect(Object.keys(sent()).sort()).toEqual(["max_tokens", "messages", "model"]);
});

test.each([
  ["max_tokens", { max_completion_tokens: 7 }, { max_tokens: 7 }],
  ["max_completion_tokens", { max_tokens: 7 }, { max_completion_tokens: 7 }],
  ["as_sent", { max_completion_tokens: 7 }, { max_completion_tokens: 7 }],
  ["none", { max_tokens: 7 }, { max_tokens: 7 }],
] as const)(
  "for a channel with the cap %s, %j is sent as %j",
  async (outputCap, given, expected) => {
    relay.setting.channels = [upstream.channel({ outputCap })];
    expect((await relay.chat(given)).status).toBe(200);
    expect(sent()).toEqual({ model: "upstream-name", messages: hello, ...expected });
    const held = (await relay.ends()).at(-1)?.held ?? 0;
    if (outputCap === "none") expect(held).toBeGreaterThanOrEqual(16_384 * 800);
    else expect(held).toBeLessThan(100_000);
  },
);

test("a channel whose usage exceeds its bound three times rests, with an alarm, and from then on holds the model's maximum", async () => {
  script = alwaysThinks;
  const [loose, sound] = [
    upstream.channel({ priority: 2 }),
    upstream.channel({ priority: 1, models: { RelayV1: "sound" } }),
  ];
  relay.setting.channels = [loose, sound];
  const known = relay.alarms.length;
  for (let count = 0; count < 3; count++) {
    expect((await relay.chat({ max_tokens: 1 })).status).toBe(200);
    expect(sent().model).toBe("upstream-name");
    expect((await relay.ends()).at(-1)).toMatchObject({ losses: ["usage_over_hold"] });
  }
  expect(relay.alarms.slice(known).map(({ alarm }) => alarm)).toEqual([
    ...Array(3).fill("usage_over_hold"),
    "channel_over_bound",
  ]);
  script = thinker;
  expect((await relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect(sent().model).toBe("sound");
  // It still serves when there is no other channel, but now the hold covers its usage.
  script = alwaysThinks;
  relay.setting.channels = [loose];
  expect((await relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect((await relay.ends()).at(-1)).toMatchObject({
    outcome: "settled",
    amount: 5 * 80 + 8_001 * 800,
    losses: [],
  });
});
