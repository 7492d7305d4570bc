/** A client of the Messages API at an upstream of the same API: nothing is lost between them. */
import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { sendJson, streamType } from "@/testing/upstream/test-upstream";
import { event, message, messageStart, messageUsage } from "@/testing/upstream/text-wires";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel({ protocol: "anthropic" })],
}));
const client = new Anthropic({
  authToken: "good",
  apiKey: null,
  maxRetries: 0,
  baseURL: "http://relay.test",
  fetch: (url, init) =>
    setup.relay.fetch(new URL(String(url)).pathname, { body: String(init?.body ?? "") }),
});

const cached = { type: "ephemeral" as const };
const image = {
  type: "image" as const,
  source: { type: "base64" as const, media_type: "image/png" as const, data: "AAAA" },
};
const thought = { type: "thinking" as const, thinking: "hm", signature: "signed" };
const hidden = { type: "redacted_thinking" as const, data: "opaque" };
const use = { type: "tool_use" as const, id: "toolu_1", name: "look", input: { at: 1 } };
const look = { name: "look", input_schema: { type: "object" as const, properties: {} } };
const result = {
  type: "tool_result" as const,
  tool_use_id: "toolu_1",
  is_error: true,
  content: [image],
};
const turns: Anthropic.MessageParam[] = [
  { role: "user", content: "look" },
  { role: "assistant", content: [thought, hidden, use] },
  { role: "user", content: [result] },
];
const usage = {
  ...messageUsage(100, 20),
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 3,
};
const lastEnd = async () => (await setup.relay.ends()).at(-1);

test("the request goes as it came, but for what would cost more or run elsewhere", async () => {
  setup.script = (response) =>
    sendJson(response, message([thought, hidden, use], { stop_reason: "tool_use", usage }));
  const { data, response } = await client.messages
    .create({
      model: "RelayV1",
      max_tokens: 2000,
      system: [{ type: "text", text: "be", cache_control: { ...cached, ttl: "1h" } }],
      messages: turns,
      tools: [look, { type: "web_search_20250305", name: "web_search" }],
      tool_choice: { type: "auto" },
      thinking: { type: "enabled", budget_tokens: 5000 },
      service_tier: "auto",
    })
    .withResponse();
  expect(setup.upstream.seen.at(-1)?.body).toEqual({
    model: "upstream-name",
    max_tokens: 2000,
    system: [{ type: "text", text: "be", cache_control: cached }],
    messages: [{ role: "user", content: [{ type: "text", text: "look" }] }, ...turns.slice(1)],
    tools: [look],
    tool_choice: { type: "auto" },
    thinking: { type: "enabled", budget_tokens: 1999 },
  });
  expect(response.headers.get("x-relay-ignored-fields")).toBe("tools.web_search_20250305");
  expect(data).toMatchObject({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    model: "RelayV1",
    content: [thought, hidden, use],
    stop_reason: "tool_use",
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 3,
      output_tokens: 20,
    },
  });
  expect(await lastEnd()).toMatchObject({ outcome: "settled", input: 110, output: 20 });
});

test("a stream's events are forwarded with signatures, and the library assembles them", async () => {
  const piece = (index: number, delta: object) => event("content_block_delta", { index, delta });
  const parts = [
    messageStart(usage),
    event("content_block_start", {
      index: 0,
      content_block: { ...thought, thinking: "", signature: "" },
    }),
    piece(0, { type: "thinking_delta", thinking: "hm" }),
    piece(0, { type: "signature_delta", signature: "signed" }),
    event("content_block_stop", { index: 0 }),
    event("content_block_start", { index: 1, content_block: hidden }),
    event("content_block_stop", { index: 1 }),
    event("content_block_start", { index: 2, content_block: { ...use, input: {} } }),
    piece(2, { type: "input_json_delta", partial_json: '{"at":1}' }),
    event("content_block_stop", { index: 2 }),
    event("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } }),
    event("message_stop"),
  ];
  setup.script = (response) => void response.writeHead(200, streamType).end(parts.join(""));
  const answer = await client.messages
    .stream({ model: "RelayV1", max_tokens: 50, messages: turns, tools: [look] })
    .finalMessage();
  expect(answer).toMatchObject({
    model: "RelayV1",
    content: [thought, hidden, use],
    stop_reason: "tool_use",
    usage: { input_tokens: 100, cache_read_input_tokens: 7, output_tokens: 20 },
  });
  expect(await lastEnd()).toMatchObject({ outcome: "settled", input: 110, output: 20 });
});

test("what the upstream gets counts, though a chat request would not have it", async () => {
  setup.script = (response) => sendJson(response, message([], { usage }));
  const held = async (signature: string) => {
    const content = [{ ...thought, signature }, use];
    await client.messages.create({
      model: "RelayV1",
      max_tokens: 5,
      messages: [
        { role: "user", content: "look" },
        { role: "assistant", content },
        ...turns.slice(2),
      ],
      tools: [look],
    });
    return (await lastEnd())?.held ?? 0;
  };
  expect((await held("s".repeat(1001))) - (await held("s"))).toBe(1000 * 80);
});

test("after an overloaded channel of this API, one of chat completions answers, translated", async () => {
  setup.script = (response, { path }) =>
    path.endsWith("/messages")
      ? sendJson(response, '{"type":"error","error":{"type":"overloaded_error"}}', 529)
      : sendJson(
          response,
          '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}',
        );
  const { channels } = setup.relay.setting;
  setup.relay.setting.channels = [
    ...channels.map((one) => ({ ...one, priority: 1 })),
    setup.upstream.channel(),
  ];
  const answer = await client.messages.create({
    model: "RelayV1",
    max_tokens: 50,
    messages: [{ role: "user", content: "hi" }],
  });
  setup.relay.setting.channels = channels;
  expect(answer.content).toEqual([{ type: "text", text: "hi" }]);
  expect(await lastEnd()).toMatchObject({ outcome: "settled", input: 5, output: 2 });
});

test("an error before anything was said is an error's status, and free", async () => {
  const error = event("error", { error: { type: "overloaded_error", message: "busy" } });
  const parts = messageStart() + event("ping") + error;
  setup.script = (response) => void response.writeHead(200, streamType).end(parts);
  const asked = client.messages.create({
    model: "RelayV1",
    max_tokens: 50,
    messages: [{ role: "user", content: "hi" }],
    stream: true,
  });
  await expect(asked).rejects.toMatchObject({ status: 502 });
  expect(await lastEnd()).toMatchObject({ outcome: "released", amount: 0 });
});
