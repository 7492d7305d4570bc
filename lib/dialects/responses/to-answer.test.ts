import { expect, test } from "vitest";
import { responseAnswer } from "../../contract/responses";
import { RelayError } from "../../failures/relay-error";
import type { JsonObject } from "../text-dialect";
import { toError } from "./failure";
import type { ResponsesContext } from "./response-object";
import { toAnswer } from "./to-answer";

const operationHex = "0199f000000070008000000000000001";

const contextOf = (request: object = {}): ResponsesContext => ({
  request: { model: "RelayV1", input: "hello", ...request },
  model: "RelayV1",
  operationHex,
  requestId: "req_1",
  createdSeconds: 1_770_000_000,
});

function answerOf(message: object, choice: object = {}, request: object = {}, usage?: JsonObject) {
  const chatAnswer = {
    id: "chatcmpl-1",
    choices: [{ index: 0, message: { role: "assistant", ...message }, ...choice }],
    usage,
  };
  const answer = toAnswer(chatAnswer, contextOf(request));
  responseAnswer.parse(answer);
  return answer;
}

test("a text is a message, with the settings that apply and the usage", () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 7,
    total_tokens: 17,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 3 },
    points: 0.5,
  };
  expect(answerOf({ content: "Hi." }, { finish_reason: "stop" }, {}, usage)).toEqual({
    id: `resp_${operationHex}`,
    object: "response",
    created_at: 1_770_000_000,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: "RelayV1",
    output: [
      {
        id: `msg_${operationHex}_0`,
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi.", annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: true,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: null,
    truncation: "disabled",
    user: null,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 17,
      points: 0.5,
    },
  });
});

test("the request's own settings come back", () => {
  const request = {
    instructions: "Be brief.",
    max_output_tokens: 5,
    metadata: { a: "b" },
    previous_response_id: "resp_0",
    store: false,
    temperature: 0.5,
    text: { verbosity: "low" },
    tools: [{ type: "web_search" }],
    user: "u",
  };
  expect(answerOf({ content: "Hi." }, {}, request)).toMatchObject({
    ...request,
    text: { verbosity: "low", format: { type: "text" } },
  });
});

test("reasoning, text, refusal and calls are items in this order, each with its own id", () => {
  const tools = [
    { type: "function", name: "look" },
    { type: "custom", name: "patch" },
    { type: "namespace", name: "docs", tools: [{ type: "function", name: "find" }] },
  ];
  const call = (id: string, name: string, text: string) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  });
  const { output } = answerOf(
    {
      reasoning: "I think.",
      content: "Text.",
      refusal: "But no.",
      tool_calls: [
        call("a", "look", '{"x":1}'),
        call("b", "patch", '{"input":"*** Begin"}'),
        call("c", "docs__find", "{}"),
        call("", "unknown", "{}"),
        call("e", "patch", "not JSON"),
      ],
    },
    { finish_reason: "tool_calls" },
    { tools },
  );
  expect(output).toEqual([
    {
      id: `rs_${operationHex}_0`,
      type: "reasoning",
      status: "completed",
      summary: [{ type: "summary_text", text: "I think." }],
    },
    {
      id: `msg_${operationHex}_1`,
      type: "message",
      status: "completed",
      role: "assistant",
      content: [
        { type: "output_text", text: "Text.", annotations: [], logprobs: [] },
        { type: "refusal", refusal: "But no." },
      ],
    },
    {
      id: `fc_${operationHex}_2`,
      type: "function_call",
      status: "completed",
      call_id: "a",
      name: "look",
      arguments: '{"x":1}',
    },
    {
      id: `ctc_${operationHex}_3`,
      type: "custom_tool_call",
      status: "completed",
      call_id: "b",
      name: "patch",
      input: "*** Begin",
    },
    {
      id: `fc_${operationHex}_4`,
      type: "function_call",
      status: "completed",
      call_id: "c",
      name: "find",
      namespace: "docs",
      arguments: "{}",
    },
    {
      id: `fc_${operationHex}_5`,
      type: "function_call",
      status: "completed",
      call_id: `call_${operationHex}_5`,
      name: "unknown",
      arguments: "{}",
    },
    {
      id: `ctc_${operationHex}_6`,
      type: "custom_tool_call",
      status: "completed",
      call_id: "e",
      name: "patch",
      input: "not JSON",
    },
  ]);
});

test.each([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
])("an answer that ended by %s is incomplete", (finishReason, reason) => {
  expect(
    answerOf({ reasoning_content: "Hm.", content: "Te" }, { finish_reason: finishReason }),
  ).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason },
    output: [{ status: "completed" }, { status: "incomplete" }],
  });
});

test("an empty answer has an empty text, and one without usage has none", () => {
  expect(answerOf({ content: null })).toMatchObject({
    output: [{ type: "message", content: [{ type: "output_text", text: "" }] }],
    usage: null,
  });
});

test("the probabilities of tokens are there when they were asked for", () => {
  const logprobs = [{ token: "Hi", bytes: [72, 105], logprob: -0.1, top_logprobs: [] }];
  const choice = { logprobs: { content: logprobs } };
  const partOf = (request: object) =>
    answerOf({ content: "Hi" }, choice, request).output as { content: object[] }[];
  expect(partOf({ top_logprobs: 1 })[0]?.content).toMatchObject([{ logprobs }]);
  expect(partOf({})[0]?.content).toMatchObject([{ logprobs: [] }]);
});

test("an error has the body of chat completions", () => {
  const error = new RelayError("insufficient_points", {
    message: "Not enough.",
    fields: { available_points: 0 },
  });
  expect(toError(error)).toEqual({
    status: 402,
    body: {
      error: {
        message: "Not enough.",
        type: "insufficient_points",
        param: null,
        code: "insufficient_points",
        available_points: 0,
      },
    },
  });
});
