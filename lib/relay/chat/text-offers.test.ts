/** What text is asked for beyond one written answer: it reaches the upstream as it came, and is billed as it is served. */
import { afterEach, expect, test } from "vitest";
import { faultsOf } from "@/testing/ledger/faults-of";
import { wholeText } from "@/testing/relay/whole-text";
import { wholeTextRelay } from "@/testing/relay/whole-text-relay";
import {
  call,
  choice,
  dataIn,
  hosted,
  hostedStream,
  piece,
  response,
  responseStream,
  said,
  search,
} from "@/testing/upstream/hosted-wires";
import { completion, sendJson, streamType, usageOf } from "@/testing/upstream/test-upstream";
import { message, messageUsage } from "@/testing/upstream/text-wires";

const { id: model } = wholeText;
const messages = [{ role: "user", content: "hello" }];
/** Micropoints of a million tokens in and out, and those of their tiers by factor. */
const due = (input: number, output: number, factor = 1) => (input * 80 + output * 800) * factor;

const { setup, at, lastEnd, seen } = await wholeTextRelay();
afterEach(async () => {
  expect(await faultsOf(setup.relay.pool)).toEqual([]);
});

const post = (path: string, body: object, headers = {}) =>
  setup.relay.send(path, { body: JSON.stringify({ model, ...body }), headers });
const chat = (body: object) => post("/v1/chat/completions", { messages, max_tokens: 100, ...body });

test("several answers are held, passed on and billed, whole and as a stream", async () => {
  at("openai");
  const choices = [choice(0, "one"), choice(1, "two"), choice(2, "too many")];
  setup.script = (response) =>
    sendJson(response, completion("", { choices, usage: usageOf(10, 30) }));
  const { json } = await chat({ n: 2 });
  expect(seen().n).toBe(2);
  expect(json.choices).toMatchObject([
    { index: 0, message: { content: "one" } },
    { index: 1, message: { content: "two" } },
  ]);
  const whole = await lastEnd();
  expect(whole).toMatchObject({ outcome: "settled", amount: due(10, 30) });
  expect(whole?.held).toBeGreaterThan(due(0, 200));

  const parts = [
    ...[piece(0, { content: "on" }), piece(1, { content: "tw" }), piece(0, { content: "e" })],
    ...[piece(0, {}, "stop"), piece(1, { content: "o" }), piece(1, {}, "length")],
    `data: ${JSON.stringify({ id: "up", choices: [], usage: usageOf(10, 40) })}\n\ndata: [DONE]\n\n`,
  ];
  setup.script = (response) => void response.writeHead(200, streamType).end(parts.join(""));
  const { text } = await chat({ n: 2, stream: true });
  const told = dataIn(text).flatMap(({ choices: told }) => told);
  for (const [index, said, reason] of [
    [0, "one", "stop"],
    [1, "two", "length"],
  ] as const) {
    const own = told.filter((each) => each.index === index);
    expect(own.map(({ delta }) => delta.content ?? "").join("")).toBe(said);
    expect(own.at(-1)?.finish_reason).toBe(reason);
  }
  expect(await lastEnd()).toMatchObject({ outcome: "settled", amount: due(10, 40) });
});

test("a large answer has all of its choices", async () => {
  at("openai");
  const long = "a".repeat(600_000);
  const choices = [choice(0, long), choice(1, "two")];
  const extra = { choices, usage: usageOf(10, 30), service_tier: "default" };
  setup.script = (response) => sendJson(response, completion("", extra));
  const several = await chat({ n: 2, service_tier: "flex" });
  expect(several.json.service_tier).toBe("default");
  expect(await lastEnd()).toMatchObject({ amount: due(10, 30) });
  expect(several.json.choices).toMatchObject([{ index: 0 }, { message: { content: "two" } }]);
  const single = await chat({});
  expect(single.json.choices).toHaveLength(1);
});

test.each([
  ["flex", "flex", 0.5],
  ["flex", "default", 1],
  ["flex", undefined, 0.5],
  ["priority", "priority", 2],
  ["priority", "default", 1],
  // Nobody asked for it.
  [undefined, "priority", 1],
])("ordered at %s and served at %s it is billed at that rate", async (tier, served, factor) => {
  at("openai");
  const usage = { ...usageOf(50, 60), prompt_tokens_details: { cached_tokens: 40 } };
  setup.script = (response) =>
    sendJson(response, completion("hi", { usage, ...(served && { service_tier: served }) }));
  const order = { messages, max_tokens: 100, ...(tier && { service_tier: tier }) };
  const quote = await post("/v1/quote", { endpoint: "createChatCompletion", ...order });
  await chat(order);
  expect(seen().service_tier).toBe(tier);
  const end = await lastEnd();
  expect(end).toMatchObject({ outcome: "settled", amount: due(50, 60, factor) });
  expect(quote.json.normalized).toMatchObject(tier ? { service_tier: tier } : { model });
  expect(Number(quote.json.hold_points)).toBeCloseTo((end?.held ?? 0) / 1e6, 6);
});

test("speech, searches and what was predicted are billed at their own rates", async () => {
  at("openai");
  const details = { audio_tokens: 40, rejected_prediction_tokens: 5 };
  const usage = {
    ...usageOf(10, 60),
    completion_tokens_details: details,
    num_search_queries: 2,
  };
  setup.script = (response) =>
    sendJson(
      response,
      completion("", {
        choices: [{ message: { role: "assistant", content: null, audio: { data: "UklG" } } }],
        usage,
      }),
    );
  const order = {
    modalities: ["text", "audio"],
    audio: { format: "wav", voice: "alloy" },
    web_search_options: { search_context_size: "low" },
    prediction: { type: "content", content: "hello" },
  };
  const { json } = await chat(order);
  expect(seen()).toMatchObject(order);
  expect(json.choices).toMatchObject([{ message: { audio: { data: "UklG" } } }]);
  const spoken = 10 * 80 + 20 * 800 + 40 * 2400 + 2 * 2_000_000;
  expect(await lastEnd()).toMatchObject({ outcome: "settled", amount: spoken });
});

test.each<[object, string]>([
  [{ n: 2 }, "n"],
  [{ n: 5, model }, "n"],
  [{ service_tier: "flex" }, "service_tier"],
  [{ service_tier: "scale", model }, "service_tier"],
  [{ modalities: ["text", "audio"] }, "modalities"],
  [{ audio: { voice: "alloy" } }, "audio"],
  [{ web_search_options: {} }, "web_search_options"],
])("what a model does not offer is refused by name and costs nothing: %j", async (body, param) => {
  at("openai");
  const before = await setup.relay.balance();
  const { status, json } = await chat({ model: "RelayV1", ...body });
  expect([status, json.error?.param]).toEqual([400, param]);
  expect(await setup.relay.balance()).toEqual(before);
});

test("an upstream of the Messages API gets its own fields and tools, and their calls are billed", async () => {
  at("anthropic");
  const usage = {
    ...messageUsage(900, 20),
    server_tool_use: { web_search_requests: 2 },
    speed: "fast",
    inference_geo: "us",
  };
  setup.script = (response) =>
    sendJson(response, message(hosted, { usage, container: { id: "c" } }));
  const fields = {
    container: "c",
    context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
    mcp_servers: [{ type: "url", url: "https://mcp.example", name: "a" }],
    diagnostics: { previous_message_id: null },
    speed: "fast",
    inference_geo: "us",
    service_tier: "standard_only",
  };
  const { json, headers } = await post(
    "/v1/messages",
    { messages, max_tokens: 100, tools: [search], ...fields },
    { "anthropic-user-profile-id": "profile-7", "anthropic-workspace-id": "wrk-7" },
  );
  expect(headers.get("x-relay-ignored-fields")).toBeNull();
  expect(seen()).toMatchObject({ ...fields, tools: [{ ...search, max_uses: 3 }] });
  expect(setup.upstream.seen.at(-1)?.headers).toMatchObject({
    "anthropic-user-profile-id": "profile-7",
    "anthropic-workspace-id": "wrk-7",
  });
  expect(json).toMatchObject({
    content: hosted,
    container: { id: "c" },
    usage: { server_tool_use: { web_search_requests: 2 } },
  });
  expect(await lastEnd()).toMatchObject({ amount: due(900, 20, 7) + 4_000_000 });

  // The next turn has the blocks of the upstream's tools, and so has a stream.
  setup.script = (response) => void response.writeHead(200, streamType).end(hostedStream);
  const turns = [...messages, { role: "assistant", content: hosted }, ...messages];
  const { text } = await post("/v1/messages", { messages: turns, max_tokens: 9, stream: true });
  expect(seen().messages).toEqual([
    { role: "user", content: [{ type: "text", text: "hello" }] },
    turns[1],
    { role: "user", content: [{ type: "text", text: "hello" }] },
  ]);
  expect(text).toContain('"type":"web_search_tool_result"');
  expect(text).toContain('"stop_reason":"pause_turn"');
  expect(await lastEnd()).toMatchObject({ amount: due(900, 9) });
});

test("an upstream of the Responses API gets what chat cannot say, and the answer can be continued", async () => {
  at("openai");
  setup.script = (to) => sendJson(to, JSON.stringify({ ...response, service_tier: "flex" }));
  const tools = [{ type: "web_search" }, { type: "function", name: "look", parameters: {} }];
  const fields = {
    prompt: { id: "pmpt_1" },
    truncation: "auto",
    context_management: [{ type: "compaction", compact_threshold: 9000 }],
    service_tier: "flex",
  };
  const { json, headers } = await post("/v1/responses", { input: "hello", tools, ...fields });
  expect(headers.get("x-relay-ignored-fields")).toBeNull();
  expect(setup.upstream.seen.at(-1)?.path).toMatch(/\/responses$/);
  expect(seen()).toMatchObject({ input: "hello", tools, max_tool_calls: 3, store: false });
  expect(seen()).toMatchObject(fields);
  const id = String(json.id);
  expect(id).toMatch(/^resp_[0-9a-f]{32}$/);
  expect(json).toMatchObject({
    model,
    store: true,
    output: [
      { type: call.type, action: call.action },
      { type: "message", content: said.content },
    ],
  });
  expect(await lastEnd()).toMatchObject({ amount: due(900, 20, 0.5) + 2_000_000 });

  setup.script = (to) => void to.writeHead(200, streamType).end(responseStream);
  const { text } = await post("/v1/responses", {
    input: "go on",
    previous_response_id: id,
    tools,
    stream: true,
  });
  expect(seen().input).toMatchObject([
    { role: "user", content: "hello" },
    { type: call.type, id: expect.stringMatching(/^ws_/) },
    { type: "message", content: said.content },
    { role: "user", content: "go on" },
  ]);
  const told = dataIn(text);
  expect(told.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_item.done",
    "response.completed",
  ]);
  const last = told.at(-1);
  expect(last.response.output[0].id).toBe(told[3].item_id);
  expect(last.response.usage.points).toBeGreaterThan(0);
  expect(await lastEnd()).toMatchObject({ amount: due(900, 20) });
});

test("a response that fails costs nothing, and what only some models offer is refused by name", async () => {
  at("openai");
  const failed = { ...response, status: "failed", error: { code: "server_error", message: "no" } };
  setup.script = (to) => sendJson(to, JSON.stringify(failed));
  const tools = [{ type: "web_search" }];
  expect((await post("/v1/responses", { input: "hello", tools })).status).toBe(502);
  expect(await lastEnd()).toMatchObject({ outcome: "released", amount: 0 });
  for (const [field, value] of [
    ["prompt", { id: "a" }],
    ["conversation", { id: "a" }],
    ["service_tier", "flex"],
  ] as const) {
    const body = { model: "RelayV1", input: "hello", [field]: value };
    const { status, json } = await post("/v1/responses", body);
    expect([status, json.error?.param]).toEqual([400, field]);
  }
});
