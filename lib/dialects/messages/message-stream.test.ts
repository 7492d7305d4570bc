import { expect, test } from "vitest";
import { messagesRequest } from "../../contract/messages";
import { RelayError } from "../../failures/relay-error";
import { messagesDialect } from "./messages-dialect";

const request = messagesRequest.parse({
  model: "RelayV1",
  max_tokens: 10,
  messages: [{ role: "user", content: "hi" }],
  stop_sequences: ["END"],
});
const context = {
  request,
  model: "RelayV1",
  operationHex: "a".repeat(32),
  requestId: "req_1",
  createdSeconds: 1,
};
const open = () => messagesDialect.openStream(context);
const chunkOf = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

test("text comes as one block between the beginning and the end of the message", () => {
  const stream = open();
  const events = [
    ...stream.chunk(chunkOf({ role: "assistant", content: "" })),
    ...stream.chunk(chunkOf({ content: "Hel" })),
    ...stream.chunk(chunkOf({ content: "lo" })),
  ];
  expect(typesOf(events)).toEqual([
    "message_start",
    "ping",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
  ]);
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 4 },
    points: 0.5,
  };
  expect(stream.end({ usage, finishReason: "stop" })).toEqual([
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null, stop_details: null, container: null },
      usage: {
        input_tokens: 6,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 4,
        output_tokens: 2,
        points: 0.5,
      },
    },
    { type: "message_stop" },
  ]);
});

test("thinking, text and calls are blocks of their own, one open at a time", () => {
  const stream = open();
  const events = [
    ...stream.chunk(chunkOf({ reasoning: "hm" })),
    ...stream.chunk(chunkOf({ content: "I look." })),
    ...stream.chunk(
      chunkOf({ tool_calls: [{ index: 0, id: "one", function: { name: "a", arguments: "" } }] }),
    ),
    ...stream.chunk(chunkOf({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] })),
    ...stream.chunk(
      chunkOf({ tool_calls: [{ index: 1, id: "two", function: { name: "b", arguments: "{}" } }] }),
    ),
    ...stream.end({ usage: null, finishReason: "tool_calls" }),
  ];
  const blocks = events.flatMap((event) =>
    event.type === "content_block_start" ? [event.content_block] : [],
  );
  expect(blocks).toEqual([
    { type: "thinking", thinking: "", signature: "" },
    { type: "text", text: "" },
    { type: "tool_use", id: "one", name: "a", input: {} },
    { type: "tool_use", id: "two", name: "b", input: {} },
  ]);
  let opened = 0;
  for (const { type } of events) {
    if (type === "content_block_start") expect(++opened).toBe(1);
    if (type === "content_block_stop") expect(--opened).toBe(0);
  }
  expect(events.find(({ type }) => type === "message_delta")).toMatchObject({
    delta: { stop_reason: "tool_use" },
  });
});

test("a call without an id that can be used gets one", () => {
  const long = "x".repeat(201);
  const call = { index: 0, id: long, function: { name: "a", arguments: "{}" } };
  const blocks = open()
    .chunk(chunkOf({ tool_calls: [call] }))
    .flatMap(({ content_block }) => content_block ?? []);
  expect(blocks).toMatchObject([{ id: `toolu_${"a".repeat(32)}_0` }]);
});

test.each([
  ["stop", {}, "end_turn", null],
  ["length", {}, "max_tokens", null],
  ["content_filter", {}, "refusal", null],
  ["stop", { stop_reason: "END" }, "stop_sequence", "END"],
  ["stop", { stop_reason: "not sent" }, "end_turn", null],
  [null, {}, "max_tokens", null],
  ["tool_calls", {}, "tool_use", null],
])("the finish reason %s %j is told as %s", (finishReason, more, reason, sequence) => {
  const stream = open();
  stream.chunk(chunkOf({ content: "x" }, more));
  const events = stream.end({ usage: null, finishReason });
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: reason, stop_sequence: sequence },
    usage: { input_tokens: 0, output_tokens: 0 },
  });
});

test("a refusal is text with its own stop reason", () => {
  const stream = open();
  const events = stream.chunk(chunkOf({ refusal: "No." }));
  expect(events.at(-1)).toMatchObject({ delta: { type: "text_delta", text: "No." } });
  expect(stream.end({ usage: null, finishReason: "stop" }).at(-2)).toMatchObject({
    delta: { stop_reason: "refusal" },
  });
});

test("an answer without a chunk still begins and ends", () => {
  expect(typesOf(open().end({ usage: null, finishReason: null }))).toEqual([
    "message_start",
    "ping",
    "message_delta",
    "message_stop",
  ]);
});

test("a failure is an event with the error and the request's id", () => {
  expect(open().fail(new RelayError("upstream_failed"))).toMatchObject([
    {
      type: "error",
      error: { type: "api_error", code: "upstream_failed", param: null },
      request_id: "req_1",
    },
  ]);
});

test.each([
  ["insufficient_points", 402, "billing_error"],
  ["missing_api_key", 401, "authentication_error"],
  ["model_not_found", 404, "not_found_error"],
  ["key_rate_limited", 429, "rate_limit_error"],
  ["invalid_value", 400, "invalid_request_error"],
  ["body_too_large", 413, "request_too_large"],
  ["no_channel_available", 503, "api_error"],
  ["upstream_timeout", 504, "timeout_error"],
] as const)("%s is %i %s", (code, status, type) => {
  const failure = messagesDialect.toError(new RelayError(code, { param: "p" }), "req_2");
  expect(failure).toMatchObject({
    status,
    body: { type: "error", error: { type, code, param: "p" }, request_id: "req_2" },
  });
});
