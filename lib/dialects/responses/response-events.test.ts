/** The events of a streamed answer, read by the unmodified `openai` library over HTTP. */
import OpenAI from "openai";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { startUpstream, streamType } from "@/testing/upstream/test-upstream";
import { RelayError } from "../../failures/relay-error";
import type { DialectEvent, JsonObject, StreamEnd } from "../text-dialect";
import { ANSWER_CHARACTERS_MAX, OUTPUT_ITEMS_MAX, ResponseEvents } from "./response-events";
import type { ResponsesContext } from "./response-object";
import { toAnswer } from "./to-answer";

const operationHex = "0199f000000070008000000000000001";
const tools = [
  { type: "function", name: "look", parameters: {}, strict: false },
  { type: "custom", name: "patch" },
] as const;

const contextOf = (request: object = {}): ResponsesContext => ({
  request: { model: "RelayV1", input: "hello", tools: [...tools], ...request },
  model: "RelayV1",
  operationHex,
  requestId: "req_1",
  createdSeconds: 1_770_000_000,
});

/** What the server sends next. */
let script: readonly DialectEvent[] = [];

const server = await opened(
  startUpstream((response) => {
    response.writeHead(200, streamType);
    for (const event of script)
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }),
);
const client = new OpenAI({ apiKey: "x", baseURL: `${server.url}/v1`, maxRetries: 0 });

const chunkOf = (delta: object, choice: object = {}): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
});
const callPiece = (index: number, text: string, id?: string, name?: string) =>
  chunkOf({ tool_calls: [{ index, id, function: { name, arguments: text } }] });

const ended: StreamEnd = { usage: null, finishReason: "stop" };

function eventsOf(chunks: readonly JsonObject[], end = ended, request: object = {}) {
  const stream = new ResponseEvents(contextOf(request));
  return [...chunks.flatMap((chunk) => [...stream.chunk(chunk)]), ...stream.end(end)];
}

/** The library's own types, for events that came from here. */
const libraryEvent = (event: DialectEvent) => event as unknown as ResponseStreamEvent;

/** What the library has put together before the last event replaces it. */
function accumulated(events: readonly DialectEvent[]): Response {
  let snapshot: Response | undefined;
  for (const event of events.slice(0, -1))
    snapshot = accumulateResponse(libraryEvent(event), snapshot);
  if (!snapshot) throw new Error("there was no event");
  return snapshot;
}

const lastResponse = (events: readonly DialectEvent[]) => events.at(-1)?.response as Response;
const typesOf = (events: readonly DialectEvent[]) => events.map(({ type }) => type);

const everything: readonly JsonObject[] = [
  chunkOf({ role: "assistant", content: "" }),
  chunkOf({ reasoning_content: "I " }),
  chunkOf({ reasoning_content: "think." }),
  chunkOf({ content: "Let me " }),
  chunkOf({ content: "look." }),
  callPiece(0, "", "call_a", "look"),
  callPiece(0, '{"x":'),
  callPiece(1, "", "call_b", "patch"),
  callPiece(0, "1}"),
  callPiece(1, '{"input":"*** Be'),
  callPiece(1, 'gin\\n"}'),
];

const usage = {
  prompt_tokens: 5,
  completion_tokens: 9,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 4 },
  points: 1,
};

test("the events come in their order, with rising numbers", () => {
  const events = eventsOf(everything, { usage, finishReason: "tool_calls" });
  expect(typesOf(events)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.done",
    "response.reasoning_summary_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.custom_tool_call_input.delta",
    "response.custom_tool_call_input.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
  expect(lastResponse(events)).toMatchObject({
    usage: {
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 14,
      points: 1,
    },
  });
});

test("the library puts the events together to the answer that the last one repeats", async () => {
  const events = eventsOf(everything, { usage, finishReason: "tool_calls" });
  script = events;
  const stream = client.responses.stream({ model: "RelayV1", input: "x" });
  const seen: unknown[] = [];
  stream.on("event", (event) => seen.push(event));
  const final = await stream.finalResponse();
  expect(seen).toHaveLength(events.length);
  expect(final).toMatchObject({
    id: `resp_${operationHex}`,
    status: "completed",
    output_text: "Let me look.",
    output: [
      { type: "reasoning", summary: [{ type: "summary_text", text: "I think." }] },
      { type: "message", content: [{ type: "output_text", text: "Let me look." }] },
      { type: "function_call", call_id: "call_a", name: "look", arguments: '{"x":1}' },
      { type: "custom_tool_call", call_id: "call_b", name: "patch", input: "*** Begin\n" },
    ],
  });
  expect(accumulated(events).output).toEqual(lastResponse(events).output);
});

test("a streamed answer is the plain one", () => {
  const events = eventsOf(everything, { usage, finishReason: "tool_calls" });
  const message = {
    reasoning_content: "I think.",
    content: "Let me look.",
    tool_calls: [
      { id: "call_a", function: { name: "look", arguments: '{"x":1}' } },
      { id: "call_b", function: { name: "patch", arguments: '{"input":"*** Begin\\n"}' } },
    ],
  };
  const chatAnswer = { choices: [{ message, finish_reason: "tool_calls" }], usage };
  expect(lastResponse(events)).toEqual(toAnswer(chatAnswer, contextOf()));
});

test("text and a refusal are parts of one message; reasoning after text is an item of its own", () => {
  const events = eventsOf([
    chunkOf({ content: "Sure" }),
    chunkOf({ refusal: "No." }),
    chunkOf({ reasoning: "Hm." }),
    chunkOf({ content: "Yes." }),
  ]);
  expect(lastResponse(events).output).toMatchObject([
    { type: "message", content: [{ text: "Sure" }, { type: "refusal", refusal: "No." }] },
    { type: "reasoning", summary: [{ text: "Hm." }] },
    { type: "message", content: [{ text: "Yes." }] },
  ]);
  expect(accumulated(events).output).toEqual(lastResponse(events).output);
});

test("a call that cannot be sent back is left out", () => {
  const events = eventsOf([
    callPiece(0, '{"a":1}', "call_a", "look"),
    callPiece(1, '{"b":2}', "call_b", "x".repeat(1000)),
    callPiece(2, '{"c":3}', "call_c", "look"),
  ]);
  expect(lastResponse(events).output).toMatchObject([
    { call_id: "call_a", arguments: '{"a":1}' },
    { call_id: "call_c", arguments: '{"c":3}' },
  ]);
});

test.each([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
])("an answer that ended by %s ends with response.incomplete", async (finishReason, reason) => {
  script = eventsOf([chunkOf({ content: "Te" })], { usage, finishReason });
  expect(script.at(-1)?.type).toBe("response.incomplete");
  const final = await client.responses.stream({ model: "RelayV1", input: "x" }).finalResponse();
  expect(final).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason },
    output: [{ status: "incomplete", content: [{ text: "Te" }] }],
  });
});

test("an empty answer has an empty text", () => {
  const events = eventsOf([]);
  expect(lastResponse(events)).toEqual(
    toAnswer({ choices: [{ message: { content: null }, finish_reason: "stop" }] }, contextOf()),
  );
  expect(accumulated(events).output).toEqual(lastResponse(events).output);
});

test("an answer that breaks off ends with response.failed, also before anything came", async () => {
  const stream = new ResponseEvents(contextOf());
  const begun = [...stream.chunk(chunkOf({ content: "Te" }))];
  script = [...begun, ...stream.fail(new RelayError("upstream_failed"))];
  const final = await client.responses.stream({ model: "RelayV1", input: "x" }).finalResponse();
  expect(final).toMatchObject({
    status: "failed",
    error: { code: "server_error", message: expect.stringContaining("Nothing was charged") },
    usage: null,
  });
  const early = new ResponseEvents(contextOf()).fail(new RelayError("content_rejected"));
  expect(typesOf(early)).toEqual(["response.created", "response.in_progress", "response.failed"]);
  expect(lastResponse(early)).toMatchObject({ error: { code: "invalid_prompt" } });
});

test("probabilities are in the deltas and in the whole text, when they were asked for", () => {
  const logprob = (token: string) => ({ token, bytes: [], logprob: -1, top_logprobs: [] });
  const chunks = ["a", "b"].map((token) =>
    chunkOf({ content: token }, { logprobs: { content: [logprob(token)] } }),
  );
  const asked = eventsOf(chunks, ended, { include: ["message.output_text.logprobs"] });
  expect(lastResponse(asked).output).toMatchObject([
    { content: [{ text: "ab", logprobs: [{ token: "a" }, { token: "b" }] }] },
  ]);
  expect(asked.find(({ type }) => type === "response.output_text.delta")).toMatchObject({
    logprobs: [{ token: "a" }],
  });
  expect(lastResponse(eventsOf(chunks)).output).toMatchObject([{ content: [{ logprobs: [] }] }]);
});

test("what it keeps is bounded: a longer answer ends as incomplete", () => {
  const piece = "x".repeat(1024 * 1024);
  const long = eventsOf(Array.from({ length: 20 }, () => chunkOf({ content: piece })));
  expect(long.at(-1)?.type).toBe("response.incomplete");
  expect(lastResponse(long).incomplete_details).toEqual({ reason: "max_output_tokens" });
  expect(JSON.stringify(lastResponse(long).output).length).toBeLessThan(
    ANSWER_CHARACTERS_MAX + 1000,
  );
  const mixed = eventsOf(
    Array.from({ length: 3 * OUTPUT_ITEMS_MAX }, (_, at) => callPiece(at, "", `id${at}`, "look")),
  );
  expect(lastResponse(mixed)).toMatchObject({ status: "incomplete" });
  expect(lastResponse(mixed).output).toHaveLength(OUTPUT_ITEMS_MAX);
});
