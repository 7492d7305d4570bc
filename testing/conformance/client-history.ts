/** What is in the conversations of agents, so that a refusal of it would come back with every turn. */
import { expect } from "vitest";
import type { PerDialect, Situation, Spoken } from "./situation";
import { answered, chat, messages } from "./tool-lists";

const user = { role: "user", content: "hello" };
const more = { role: "user", content: "go on" };
const got = "400 for every turn from then on";

type Check = (text: string, spoken: Spoken) => void;

/** A conversation in each dialect where it can have such a thing, and what the upstream gets of it. */
const history = (
  words: Parameters<typeof answered>[0],
  upstream: Situation["upstream"],
  asks: PerDialect<object>,
  check: Check,
) => answered(words, upstream, asks, (_, text, spoken) => check(text, spoken), got);

/** A call, what its tool gave, and what is said after it. */
export const called = (given: string, result: unknown, ...after: object[]) => [
  user,
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "get_time", arguments: given } }],
  },
  { role: "tool", tool_call_id: "c1", content: result },
  ...after,
];
const calling = (given: string, result: unknown = "noon") => ({
  chat: { messages: called(given, result) },
  messages: {},
  responses: {
    input: [
      user,
      { type: "function_call", call_id: "c1", name: "get_time", arguments: given },
      { type: "function_call_output", call_id: "c1", output: result },
    ],
  },
});

/** A turn of the Messages API with this id of a call and these blocks after its result. */
const used = (id: string, ...after: object[]) => [
  user,
  { role: "assistant", content: [{ type: "tool_use", id, name: "get_time", input: {} }] },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "noon" }, ...after],
  },
];
const inMessages = (given: readonly object[]): PerDialect<object> => ({
  chat: {},
  messages: { messages: given },
  responses: {},
});
const inResponses = (input: readonly object[], others: object = {}): PerDialect<object> => ({
  chat: {},
  messages: {},
  responses: { input, ...others },
});

const pdf = {
  type: "document",
  title: "a.pdf",
  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQ=" },
};
const time = {
  ...{ type: "function", name: "get_noon", description: "d", strict: false },
  parameters: { type: "object", properties: {} },
};
const namespace = { type: "namespace", name: "clock", description: "d", tools: [time] };

const turns: readonly Situation[] = [
  history(
    ["an empty turn of the model", "anomalyco/opencode#37887", "the others"],
    { ...chat, ...messages },
    {
      chat: { messages: [user, { role: "assistant", content: "" }, more] },
      messages: { messages: [user, { role: "assistant", content: "" }, more] },
      responses: { input: [user, { role: "assistant", content: "" }, more] },
    },
    (text) => expect(text).not.toContain('"assistant"'),
  ),
  history(
    ["an empty list as what a tool gave", "lastmile-ai/mcp-agent#328", "an empty text"],
    chat,
    {
      chat: {
        messages: [
          user,
          {
            role: "assistant",
            content: [],
            tool_calls: [
              { id: "c1", type: "function", function: { name: "get_time", arguments: "{}" } },
            ],
          },
          { role: "tool", tool_call_id: "c1", content: [] },
        ],
      },
      messages: {},
      responses: {
        input: [
          user,
          { type: "function_call", call_id: "c1", name: "get_time", arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: [] },
        ],
      },
    },
    (text) => expect(text).toMatch(/"content":""/),
  ),
  history(
    ["null as what a tool gave", "microsoft/agent-framework#4677", "an empty text"],
    chat,
    { ...calling("{}", null), responses: {} },
    (text) => expect(text).toContain('"content":""'),
  ),
  history(
    [
      "a call with an empty text as its arguments",
      "aws-samples/bedrock-access-gateway#258",
      "`{}`",
    ],
    chat,
    calling(""),
    (text) => expect(text).toContain('"arguments":"{}"'),
  ),
  history(
    ["a call that was cut", "HKUDS/nanobot#1487", "an object with what there is of it"],
    chat,
    calling('{"city":"Os'),
    (text) => expect(text).toContain('"arguments":"{\\"invalid_json\\":'),
  ),
];

const natives: readonly Situation[] = [
  history(
    ["ids of calls with other signs", "farion1231/cc-switch#1181", "ids that it takes"],
    messages,
    inMessages(used("functions.get_time:0")),
    (text) => expect(text.match(/functions_get_time_0/g)).toHaveLength(2),
  ),
  history(
    ["an empty text with a mark for the cache", "anthropics/claude-code#55302", "the other blocks"],
    messages,
    inMessages(used("c1", { type: "text", text: "", cache_control: { type: "ephemeral" } })),
    (text) => expect(text).not.toContain('"text":""'),
  ),
  history(
    ["a last turn of the model that ends with a space", "GCWing/OpenBitFun#825", "no space"],
    messages,
    {
      chat: { messages: [user, { role: "assistant", content: "I say: " }] },
      messages: { messages: [user, { role: "assistant", content: "I say: " }] },
      responses: {},
    },
    (text) => expect(text).toContain('"I say:"'),
  ),
  history(
    ["a PDF that a tool read", "MoonshotAI/kimi-code#2378", "that it was not read"],
    { ...chat, ...messages },
    inMessages([
      user,
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "get_time", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: [pdf] }] },
    ]),
    (text) => {
      expect(text).toContain("cannot be read here");
      expect(text).not.toContain("JVBERi0xLjQ");
    },
  ),
];

const items: readonly Situation[] = [
  history(
    ["tools within the conversation", "theopenco/llmgateway#3613", "the tools"],
    { ...chat, ...messages },
    inResponses([{ type: "additional_tools", role: "developer", tools: [namespace] }, user], {
      tools: [],
    }),
    (text) => expect(text).toContain('"clock__get_noon"'),
  ),
  history(
    ["an empty list of further tools", "experientiallabs/experiential#859", "the others"],
    chat,
    inResponses([{ type: "additional_tools", role: "developer", tools: [] }, user]),
    (text) => expect(text).toContain('"get_weather"'),
  ),
  history(
    ["a search for tools, and the tools found", "CommandCodeAI/command-code#893", "both"],
    { ...chat, ...messages },
    inResponses([
      user,
      ...[{ type: "tool_search_call", call_id: "s1", execution: "client" }].map((call) => ({
        ...call,
        status: "completed",
        arguments: { query: "time" },
      })),
      {
        ...{ type: "tool_search_output", call_id: "s1", execution: "client" },
        tools: [namespace],
      },
    ]),
    (text) => {
      expect(text).toContain('"clock__get_noon"');
      expect(text).toContain('"tool_search"');
    },
  ),
  history(
    ["a mark of compaction", "Edward-lyz/codex-mixin#10", "the rest"],
    chat,
    inResponses([user, { type: "compaction_trigger", id: "ct_1" }, more]),
    (text) => expect(text).not.toContain("compaction"),
  ),
];

export const clientHistory: readonly Situation[] = [...turns, ...natives, ...items];
