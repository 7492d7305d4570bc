/** Tests which fields of a chat request are passed upstream, and how much is held for them. */
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { completion, type Script, sendJson, usageOf } from "@/testing/upstream/test-upstream";
import { passingChatFields } from "../../contract/chat-fields";

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

const setup = await scriptedRelay();
beforeEach(() => {
  setup.script = thinker;
  setup.relay.setting.channels = [setup.upstream.channel()];
});

const sent = () => setup.upstream.seen.at(-1)?.body as Record<string, unknown>;
const ignored = (headers: Headers) => headers.get("x-relay-ignored-fields");

test("max_tokens 1 with thinking: the field does not reach the upstream, and one token is charged", async () => {
  const { status, headers, json } = await setup.relay.chat({
    max_tokens: 1,
    thinking: { type: "enabled" },
  });
  expect(status).toBe(200);
  expect(sent()).toEqual({ model: "upstream-name", max_tokens: 1, messages: hello });
  expect(ignored(headers)).toBe("thinking");
  expect((json.usage as { completion_tokens: number }).completion_tokens).toBe(1);
  expect((await setup.relay.ends()).at(-1)).toMatchObject({
    outcome: "settled",
    output: 1,
    losses: [],
  });
});

test("a channel that allows thinking holds the model's maximum, and the 8,001 tokens are charged", async () => {
  setup.relay.setting.channels = [setup.upstream.channel({ allowedFields: ["thinking"] })];
  const { status, headers } = await setup.relay.chat({
    max_tokens: 1,
    thinking: { type: "enabled" },
  });
  expect(status).toBe(200);
  expect(sent()).toMatchObject({ max_tokens: 1, thinking: { type: "enabled" } });
  expect(ignored(headers)).toBeNull();
  const end = (await setup.relay.ends()).at(-1);
  expect(end).toMatchObject({
    outcome: "settled",
    output: 8_001,
    amount: 5 * 80 + 8_001 * 800,
    losses: [],
  });
  expect(end?.held).toBeGreaterThanOrEqual(16_384 * 800);
  const quote = await setup.relay.send("/v1/quote", {
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
  expect((await setup.relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect((await setup.relay.ends()).at(-1)?.held).toBeLessThan(100_000);
});

test("an account that cannot afford the model's maximum is refused where the cap does not bind, and nothing is sent", async () => {
  const channel = setup.upstream.channel({ allowedFields: ["thinking"] });
  const poor = await openTestRelay({ channels: [channel], points: "5" });
  const known = setup.upstream.seen.length;
  const answer = await poor.chat({ max_tokens: 1, thinking: { type: "enabled" } });
  expect(answer).toMatchObject({ status: 402, json: { error: { code: "insufficient_points" } } });
  poor.setting.channels = [setup.upstream.channel({ protocol: "ark" })];
  expect((await poor.chat({ max_tokens: 1 })).status).toBe(402);
  expect(setup.upstream.seen.length).toBe(known);
  await poor.close();
});

test("a retry at another channel happens only where the hold covers that channel's terms", async () => {
  const [busy, dear, last] = [
    setup.upstream.channel({ priority: 3 }),
    setup.upstream.channel({ priority: 2, outputCap: "none" }),
    setup.upstream.channel({ priority: 1, models: { RelayV1: "last" } }),
  ];
  setup.relay.setting.channels = [busy, dear, last];
  let asked = 0;
  setup.script = (response, request, count) =>
    ++asked === 1 ? sendJson(response, "{}", 503) : thinker(response, request, count);
  expect((await setup.relay.chat({ max_tokens: 1 })).status).toBe(200);
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
    const { status, headers } = await setup.relay.chat({ ...costly, stream });
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
  const first = await setup.relay.chat({
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
  const second = await setup.relay.chat({
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
  const { headers } = await setup.relay.chat(given);
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
  const { status, headers } = await setup.relay.chat(
    Object.fromEntries(names.map((name) => [name, 1])),
  );
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
    setup.relay.setting.channels = [setup.upstream.channel({ outputCap })];
    expect((await setup.relay.chat(given)).status).toBe(200);
    expect(sent()).toEqual({ model: "upstream-name", messages: hello, ...expected });
    const held = (await setup.relay.ends()).at(-1)?.held ?? 0;
    if (outputCap === "none") expect(held).toBeGreaterThanOrEqual(16_384 * 800);
    else expect(held).toBeLessThan(100_000);
  },
);

test("a channel whose usage exceeds its bound three times cooldowns, with an alarm, and from then on holds the model's maximum", async () => {
  setup.script = alwaysThinks;
  const [loose, sound] = [
    setup.upstream.channel({ priority: 2 }),
    setup.upstream.channel({ priority: 1, models: { RelayV1: "sound" } }),
  ];
  setup.relay.setting.channels = [loose, sound];
  const known = setup.relay.alarms.length;
  for (let count = 0; count < 3; count++) {
    expect((await setup.relay.chat({ max_tokens: 1 })).status).toBe(200);
    expect(sent().model).toBe("upstream-name");
    expect((await setup.relay.ends()).at(-1)).toMatchObject({ losses: ["usage_over_hold"] });
  }
  expect(setup.relay.alarms.slice(known).map(({ alarm }) => alarm)).toEqual([
    ...Array(3).fill("usage_over_hold"),
    "channel_over_bound",
  ]);
  setup.script = thinker;
  expect((await setup.relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect(sent().model).toBe("sound");
  // It still serves when there is no other channel, but now the hold covers its usage.
  setup.script = alwaysThinks;
  setup.relay.setting.channels = [loose];
  expect((await setup.relay.chat({ max_tokens: 1 })).status).toBe(200);
  expect((await setup.relay.ends()).at(-1)).toMatchObject({
    outcome: "settled",
    amount: 5 * 80 + 8_001 * 800,
    losses: [],
  });
});
