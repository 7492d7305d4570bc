/**
 * Tests requests to upstreams that cannot read all of them: asked again once in a plainer form, which
 * costs nothing, and in that form from then on.
 */
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import {
  answers,
  call,
  cases,
  charged,
  has,
  refusal,
  refusing,
  usage,
} from "@/testing/relay/unread-requests";
import { completion, sendJson } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay();
beforeEach(() => {
  setup.relay.setting.channels = [setup.upstream.channel()];
  setup.upstream.seen.length = 0;
});
const seen = () => setup.upstream.seen.map(({ body }) => body);
const ends = async () => (await setup.relay.ends()).length;

test.each(cases.flatMap((one) => [false, true].map((stream) => [one[0], stream, one] as const)))(
  "an upstream that cannot read %s is asked again in a plainer form, and in that form from then on (stream: %s)",
  async (name, stream, [, script, asks, sent, told]) => {
    setup.script = script;
    const known = await ends();
    const tries = name.includes("one after") ? 3 : 2;
    const first = await setup.relay.chat({ ...asks, stream });
    expect(first.status).toBe(200);
    expect(first.headers.get("x-relay-ignored-fields")).toBe(told);
    expect(seen()).toHaveLength(tries);
    const got = seen().at(-1);
    for (const [field, value] of Object.entries(sent)) expect(got?.[field], field).toEqual(value);
    expect((await setup.relay.chat({ ...asks, stream })).status).toBe(200);
    expect(seen()).toHaveLength(tries + 1);
    // The cap is what the balance pays for, beside a longer text.
    expect({ ...seen().at(-1), max_tokens: 0 }).toEqual({ ...got, max_tokens: 0 });
    expect((await setup.relay.ends()).slice(known)).toMatchObject([charged, charged]);
  },
);

test("where streams take no options, they are made from whole answers, and charged", async () => {
  setup.script = refusing((body) => has("stream_options")(body));
  const answer = await setup.relay.chat({ stream: true });
  expect([answer.status, answer.text.includes("[DONE]")]).toEqual([200, true]);
  expect(seen().map(({ stream }) => stream)).toEqual([true, undefined]);
  await setup.relay.chat({ stream: true });
  expect(seen()).toHaveLength(3);
  expect((await setup.relay.ends()).slice(-2)).toMatchObject([charged, charged]);
});

test.each([
  [
    "the window",
    "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
    5480,
    undefined,
  ],
  [
    "the model",
    "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 8192 instead.",
    4096,
    { RelayV1: 4096 },
  ],
])(
  "a cap that is too large for %s is lowered at once, and remembered where it is the model's",
  async (_of, message, most, caps) => {
    setup.script = refusing((body) => (Number(body.max_tokens) > most ? refusal(message) : null));
    expect((await setup.relay.chat({ max_tokens: 8192 })).status).toBe(200);
    expect(seen().map(({ max_tokens }) => max_tokens)).toEqual([8192, most]);
    expect((await setup.relay.chat({ max_tokens: 300 })).status).toBe(200);
    expect(seen().at(-1)?.max_tokens).toBe(300);
    expect(setup.relay.setting.channels[0]?.profile?.caps).toEqual(caps);
    if (caps === undefined) return;
    expect((await setup.relay.chat({ max_tokens: 8192 })).status).toBe(200);
    expect(seen().map(({ max_tokens }) => max_tokens)).toEqual([8192, most, 300, most]);
  },
);

const oneAfterTheOther = [
  ...["store", "seed", "user", "verbosity", "metadata", "temperature", "top_p"],
  ...["presence_penalty", "frequency_penalty", "reasoning_effort"],
];

test("an upstream that keeps refusing is asked at most nine times, the client gets its refusal, and nothing is remembered", async () => {
  setup.script = (response, { body }) => {
    const named = oneAfterTheOther.find((name) => body[name] !== undefined);
    sendJson(response, refusal(`Unknown parameter: '${named ?? "store"}'.`), 400);
  };
  const { status, json } = await setup.relay.chat({
    store: true,
    seed: 1,
    user: "u",
    verbosity: "low",
    metadata: {},
    ...{ temperature: 1, top_p: 1, presence_penalty: 1, frequency_penalty: 1 },
    reasoning_effort: "low",
  });
  expect([status, json.error]).toMatchObject([
    400,
    { code: "unsupported_value", param: "frequency_penalty" },
  ]);
  expect(seen()).toHaveLength(9);
  expect(setup.relay.setting.channels[0]?.profile).toBeUndefined();
  expect((await setup.relay.ends()).at(-1)).toMatchObject({ outcome: "released", losses: [] });
});

test("a refusal that names what the request does not have is not asked again", async () => {
  setup.script = (response) => sendJson(response, refusal("Unknown parameter: 'store'."), 400);
  expect((await setup.relay.chat()).json.error?.code).toBe("unsupported_value");
  expect(seen()).toHaveLength(1);
});

test("what one model's upstream cannot read does not change the requests for another", async () => {
  const channel = setup.upstream.channel({
    profile: { reads: { other: { reasoning_effort: false } } },
  });
  setup.relay.setting.channels = [channel];
  setup.script = answers;
  await setup.relay.chat({ reasoning_effort: "low" });
  expect(seen()[0]?.reasoning_effort).toBe("low");
});

test("a null that means an absent field is sent to no upstream, and one that says something is", async () => {
  setup.script = (response) => sendJson(response, completion("hi", { usage }));
  const nothing = Object.fromEntries(
    [
      "temperature",
      "top_p",
      "stop",
      "seed",
      "tools",
      "tool_choice",
      "response_format",
      "user",
      "metadata",
      "store",
      "logprobs",
      "top_logprobs",
      "logit_bias",
      "reasoning_effort",
      "parallel_tool_calls",
      "presence_penalty",
      "service_tier",
      "stream",
      "stream_options",
    ].map((name) => [name, null]),
  );
  const messages = [
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "https://a.test/a.png", detail: null } }],
      name: null,
    },
    { role: "assistant", content: null, tool_calls: [call], refusal: null, function_call: null },
    { role: "tool", tool_call_id: "1", content: "r", tool_calls: null },
  ];
  const schema = { type: "object", properties: {}, default: null };
  const { status, headers } = await setup.relay.chat({
    ...nothing,
    messages,
    tools: [
      {
        type: "function",
        function: { name: "f", description: null, parameters: schema, strict: null },
      },
    ],
    response_format: {
      type: "json_schema",
      json_schema: { name: "x", description: null, strict: null, schema },
    },
  });
  expect(status).toBe(200);
  expect(headers.get("x-relay-ignored-fields")).toBeNull();
  expect(seen()[0]).toEqual({
    model: "upstream-name",
    max_tokens: 16_384,
    messages: [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: "https://a.test/a.png" } }],
      },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: "r" },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: schema } }],
    response_format: { type: "json_schema", json_schema: { name: "x", schema } },
  });
});
