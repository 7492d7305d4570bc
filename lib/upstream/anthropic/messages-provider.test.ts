import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { openChatCalls } from "@/testing/upstream/chat-calls";
import { type Script, sendJson, streamType } from "@/testing/upstream/test-upstream";
import { event, message, messageStart, messageUsage } from "@/testing/upstream/text-wires";
import { createMessagesChat } from "./messages-provider";

const calls = await opened(openChatCalls(createMessagesChat()));
const { failed, provider, streamed, upstreamWith } = calls;

const body = JSON.stringify({
  model: "upstream-name",
  max_tokens: 9,
  messages: [{ role: "user", content: "hi" }],
});
const stream =
  (...parts: string[]): Script =>
  (response) =>
    void response.writeHead(200, streamType).end(parts.join(""));
const start = (index: number, content_block: object) =>
  event("content_block_start", { index, content_block });
const piece = (index: number, delta: object) => event("content_block_delta", { index, delta });
const stop = (index: number) => event("content_block_stop", { index });
const end = (stop_reason: string, more: object = {}) =>
  event("message_delta", { delta: { stop_reason, ...more }, usage: { output_tokens: 20 } });
const DONE = event("message_stop");
const tool = { type: "tool_use", id: "toolu_1", name: "f", input: {} };

test("the key, the version and the cap are sent as this API wants them", async () => {
  const upstream = await upstreamWith((response) => sendJson(response, message([])));
  await provider.complete(upstream.channel({ protocol: "anthropic" }), body);
  const [seen] = upstream.seen;
  expect(seen?.path).toBe("/v1/messages");
  expect(seen?.headers).toMatchObject({
    "x-api-key": "upstream-secret",
    "anthropic-version": "2023-06-01",
  });
  expect(seen?.headers.authorization).toBeUndefined();
  expect(seen?.body).toEqual({
    model: "upstream-name",
    max_tokens: 9,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  });
});

test.each(["constructor", "__proto__"])(
  "the stop reason %s of an upstream is an unknown one: the answer counts as cut",
  async (reason) => {
    const sent = message([{ type: "text", text: "a" }], { stop_reason: reason });
    const upstream = await upstreamWith((response) => sendJson(response, sent));
    const result = await provider.complete(upstream.channel(), body);
    expect(result).toMatchObject({ isOk: true, body: { choices: [{ finish_reason: "length" }] } });
  },
);

test("an answer's text, thought and calls become a chat answer, and all its input is counted", async () => {
  const upstream = await upstreamWith((response) =>
    sendJson(
      response,
      message(
        [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "a" },
          { type: "text", text: "b" },
          { ...tool, input: { city: "Rome" } },
        ],
        {
          stop_reason: "tool_use",
          usage: {
            ...messageUsage(5, 7),
            cache_read_input_tokens: 20,
            cache_creation_input_tokens: 300,
          },
        },
      ),
    ),
  );
  const result = await provider.complete(upstream.channel(), body);
  expect(result).toMatchObject({
    isOk: true,
    body: {
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "ab",
            reasoning_content: "hm",
            tool_calls: [{ id: "toolu_1", function: { name: "f", arguments: '{"city":"Rome"}' } }],
          },
        },
      ],
    },
    end: {
      upstreamRef: "msg_up1",
      usage: {
        inputTokens: 325,
        outputTokens: 7,
        reported: {
          prompt_tokens: 325,
          prompt_tokens_details: { cached_tokens: 20, cache_creation_tokens: 300 },
        },
      },
    },
  });
});

test("a stream's events become chunks: thought, text, calls with and without input, the end", async () => {
  const { chunks, end: ended } = await streamed(
    stream(
      messageStart(messageUsage(100, 1)),
      event("ping"),
      start(0, { type: "thinking", thinking: "", signature: "" }),
      piece(0, { type: "thinking_delta", thinking: "hm" }),
      piece(0, { type: "signature_delta", signature: "s" }),
      stop(0),
      start(1, { type: "text", text: "" }),
      piece(1, { type: "text_delta", text: "hi" }),
      stop(1),
      start(2, tool),
      piece(2, { type: "input_json_delta", partial_json: '{"a":' }),
      piece(2, { type: "input_json_delta", partial_json: "1}" }),
      stop(2),
      start(3, { ...tool, id: "toolu_2" }),
      stop(3),
      event("of_tomorrow", { index: 3 }),
      end("stop_sequence", { stop_sequence: "END" }),
      DONE,
    ),
  );
  const call = (index: number, given: object, more: object = {}) => ({
    tool_calls: [{ index, ...more, function: given }],
  });
  const begun = (id: string) => ({ id, type: "function" });
  const deltas = [
    { role: "assistant", reasoning_content: "hm" },
    { content: "hi" },
    call(0, { name: "f", arguments: "" }, begun("toolu_1")),
    call(0, { arguments: '{"a":' }),
    call(0, { arguments: "1}" }),
    call(1, { name: "f", arguments: "" }, begun("toolu_2")),
  ];
  expect(chunks.map(({ choices }) => choices)).toEqual([
    ...deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]),
    [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: "END" }],
  ]);
  expect(ended).toMatchObject({
    usage: { inputTokens: 100, outputTokens: 20 },
    usageFault: null,
    hasContent: true,
    upstreamRef: "msg_up1",
  });
});

const text = [start(0, { type: "text", text: "" }), piece(0, { type: "text_delta", text: "a" })];

test.each<[string, string[], string | null, string | null]>([
  ["with its totals and no last event", [...text, end("end_turn")], null, null],
  ["without a stop reason", text, "upstream_failed", "missing"],
  [
    "with an error",
    [...text, event("error", { error: { type: "overloaded_error" } })],
    "upstream_failed",
    "missing",
  ],
  [
    "without totals",
    [...text, event("message_delta", { delta: { stop_reason: "end_turn" } }), DONE],
    null,
    "missing",
  ],
  [
    "with absurd totals",
    [
      ...text,
      event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: -1 } }),
      DONE,
    ],
    null,
    "absurd",
  ],
  [
    "with what is no event",
    [...text, "data: []\n\n", end("end_turn"), DONE],
    "upstream_bad_response",
    null,
  ],
])("a stream that ends %s", async (_name, parts, code, fault) => {
  const { end: ended, failure } = await streamed(stream(messageStart(), ...parts));
  expect([failure?.code ?? null, ended.usageFault]).toEqual([code, fault]);
});

const refusal =
  (status: number, type: string, words = "secret text"): Script =>
  (response) =>
    sendJson(response, JSON.stringify({ type: "error", error: { type, message: words } }), status);
const ours = { code: "no_channel_available", isSurelyFree: true, isOperatorFault: true };

test.each<[string, Script, object]>([
  ["400", refusal(400, "invalid_request_error"), { code: "invalid_value", isSurelyFree: false }],
  [
    "400 without credit",
    refusal(400, "invalid_request_error", "Your credit balance is too low"),
    ours,
  ],
  ["401", refusal(401, "authentication_error"), ours],
  ["402", refusal(402, "billing_error"), ours],
  ["403", refusal(403, "permission_error"), ours],
  ["404", refusal(404, "not_found_error"), ours],
  ["413", refusal(413, "request_too_large"), { code: "body_too_large" }],
  [
    "429",
    refusal(429, "rate_limit_error"),
    { code: "upstream_concurrency_exceeded", isSurelyFree: true },
  ],
  ["500", refusal(500, "api_error"), { code: "upstream_failed", isSurelyFree: false }],
  ["529", refusal(529, "overloaded_error"), { code: "upstream_failed", isSurelyFree: true }],
  ["an error in a 200", refusal(200, "api_error"), { code: "upstream_failed" }],
  [
    "no message",
    (response) => sendJson(response, "{}"),
    { code: "upstream_bad_response", mayHaveCost: true },
  ],
  [
    "9 MB",
    (response) => sendJson(response, " ".repeat(9_000_000)),
    { code: "upstream_bad_response" },
  ],
])("%s gets its own failure, and its text is dropped", async (_name, script, expected) => {
  const failure = await failed(script);
  expect(failure).toMatchObject(expected);
  expect(failure.internal).not.toMatch(/secret|credit balance/);
});
