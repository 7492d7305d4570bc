import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assistantMessage,
  name,
  said,
  tool,
  toolTurn,
  userMessage,
} from "@/testing/bodies/conversations";
import { messagesRequest } from "../../contract/messages";
import { messagesDialect } from "../../dialects/messages/messages-dialect";
import { toMessages } from "./to-messages";

/** A tool turn that ends with its results: what the user says next is theirs to join. */
const openTurn = toolTurn.map((turn) => turn.filter(({ role }) => role !== "user"));
const exchange = fc
  .tuple(userMessage, fc.oneof(assistantMessage, openTurn))
  .map((pair) => pair.flat());

const conversation = fc.record({
  system: fc.option(said),
  exchanges: fc.array(exchange, { minLength: 1, maxLength: 5 }),
  tools: fc.array(tool, { maxLength: 3 }),
  members: fc.record(
    {
      stop: fc.array(name, { minLength: 1, maxLength: 3 }),
      temperature: fc.double({ min: 0, max: 1, noNaN: true }),
      user: name,
      stream: fc.constant(true),
    },
    { requiredKeys: [] },
  ),
});

test("a conversation goes from chat to the Messages API, and its dialect reads the same chat", () => {
  fc.assert(
    fc.property(conversation, ({ system, exchanges, tools, members }) => {
      const chat = {
        model: "RelayV1",
        max_tokens: 100,
        ...members,
        messages: [
          ...(system === null ? [] : [{ role: "system", content: system }]),
          ...exchanges.flat(),
        ],
        ...(tools.length > 0 ? { tools } : {}),
      };
      const request = messagesRequest.parse(toMessages(chat));
      const typed = tools.map(({ type, function: { parameters, ...definition } }) => ({
        type,
        function: { ...definition, parameters: { type: "object", ...parameters } },
      }));
      const { body, ignored } = messagesDialect.toChat(request);
      expect(body).toEqual({ ...chat, ...(tools.length > 0 ? { tools: typed } : {}) });
      expect(ignored).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("no value of a chat request makes the translation throw", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (chat, value) => {
      const names = ["messages", "tools", "tool_choice", "stop", "functions", "response_format"];
      for (const one of names) toMessages({ ...chat, [one]: value });
      toMessages({ messages: [{ role: "assistant", content: value, tool_calls: value }, value] });
    }),
  );
});

const user = { role: "user", content: "hi" };
const base = { model: "m", max_tokens: 5000, messages: [user] };
const functions = [{ type: "function", function: { name: "f" } }];
const tools = [{ name: "f", input_schema: { type: "object", properties: {} } }];

test.each<[string, object, object]>([
  ["instructions alone", { messages: [{ role: "system", content: "be" }] }, { system: undefined }],
  ["the older cap", { max_tokens: undefined, max_completion_tokens: 7 }, { max_tokens: 7 }],
  ["heat", { temperature: 1.7, top_p: 0.5 }, { temperature: 1, top_p: undefined }],
  ["a share", { top_p: 0.5, top_k: 5 }, { top_p: 0.5, top_k: 5 }],
  ["a stop", { stop: "END" }, { stop_sequences: ["END"] }],
  ["blank stops", { stop: [" ", "\n"] }, { stop_sequences: undefined }],
  ["a choice without tools", { tool_choice: "auto" }, { tool_choice: undefined }],
  [
    "a required tool",
    { tools: functions, tool_choice: "required" },
    { tools, tool_choice: { type: "any" } },
  ],
  [
    "one tool, one call",
    {
      tools: functions,
      tool_choice: { type: "function", function: { name: "f" } },
      parallel_tool_calls: false,
    },
    { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true } },
  ],
  ["no tool", { tools: functions, tool_choice: "none" }, { tool_choice: { type: "none" } }],
  ["an older function", { functions: [{ name: "f" }], function_call: "auto" }, { tools }],
  [
    "thought, within half of the cap",
    { reasoning_effort: "high", temperature: 0 },
    { thinking: { type: "enabled", budget_tokens: 2500 }, temperature: undefined },
  ],
  ["no room for thought", { reasoning_effort: "low", max_tokens: 2000 }, { thinking: undefined }],
  ["an unknown effort", { reasoning_effort: "constructor" }, { thinking: undefined }],
  [
    "no thought with a forced tool",
    { reasoning_effort: "high", tools: functions, tool_choice: "required" },
    { thinking: undefined },
  ],
  [
    "no thought after a tool",
    {
      reasoning_effort: "high",
      messages: [
        user,
        { role: "assistant", tool_calls: [{ id: "a.1", function: { name: "f", arguments: "" } }] },
        { role: "tool", tool_call_id: "a.1", content: "" },
      ],
    },
    {
      thinking: undefined,
      messages: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "a_1", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a_1", content: [] }] },
      ],
    },
  ],
  [
    "a schema",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema: { a: 1 } } } },
    { output_config: { format: { type: "json_schema", schema: { a: 1 } } } },
  ],
])("%s", (_name, fields, expected) => {
  const request = toMessages({ ...base, ...fields });
  for (const [member, value] of Object.entries(expected)) expect(request[member]).toEqual(value);
});

test("arguments nested 100,000 deep are sent as text, and the request can be written", () => {
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const call = { id: "a", function: { name: "f", arguments: deep } };
  const request = toMessages({ ...base, messages: [{ role: "assistant", tool_calls: [call] }] });
  expect(JSON.stringify(request)).toContain("invalid_json");
});
