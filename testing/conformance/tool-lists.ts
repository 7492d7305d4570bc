/** Tools, marks and settings as agents send them, of which upstreams refuse some. */
import { expect } from "vitest";
import { forDialect, type PerDialect, type Situation, type Spoken } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, messageStream, openai } from "./upstreams";

const reads = { text: "hi", calls: [], end: "stop", error: null };
export const chat = openai(
  chatStream([{ role: "assistant", content: "hi" }]),
  chatAnswer({ content: "hi" }),
);
export const messages: Situation["upstream"] = {
  anthropic: {
    ...messageStream([block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" })]),
    ...messageAnswer([{ type: "text", text: "hi" }]),
  },
};
export const both = { ...chat, ...messages };
const user = { role: "user", content: "hello" };
const cached = { cache_control: { type: "ephemeral" } };

type Check = (body: Record<string, unknown>, text: string, spoken: Spoken) => void;

export const answered = (
  [sent, thread, right]: readonly [sent: string, thread: string | null, right: string],
  upstream: Situation["upstream"],
  asks: PerDialect<object>,
  check: Check,
  got = "400 for every request",
): Situation => ({
  ...{ sent: `an answer to ${sent}`, thread, got, right, upstream, asks, reads },
  check: (seen, spoken) => {
    // A dialect that has no such thing asks for nothing.
    if (Object.keys(forDialect(asks, spoken)).length > 0)
      check(seen.at(-1)?.body ?? {}, seen.at(-1)?.text ?? "", spoken);
  },
});

/** The same tools in each dialect. */
export const tools = (...schemas: object[]): PerDialect<object> => {
  const described = schemas.map((schema) => ({ name: "get_time", description: "t", schema }));
  return {
    chat: {
      tools: described.map(({ schema: parameters, ...one }) => ({
        type: "function",
        function: { ...one, parameters },
      })),
    },
    messages: { tools: described.map(({ schema, ...one }) => ({ ...one, input_schema: schema })) },
    responses: {
      tools: described.map(({ schema: parameters, ...one }) => ({
        ...{ type: "function", strict: null, ...one, parameters },
      })),
    },
  };
};
const inMessages = (members: object): PerDialect<object> => ({
  chat: {},
  messages: members,
  responses: {},
});

const plain = { type: "object", properties: { at: { type: "string" } } };
const choices = {
  type: "object",
  anyOf: [{ properties: { at: { type: "string" } }, required: ["at"] }, { $ref: "#/$defs/zone" }],
  $defs: { zone: { properties: { zone: { type: "string" } } } },
};

const ofTools: readonly Situation[] = [
  answered(
    ["two tools of one name", "cloudwego/eino#632", "the first one"],
    both,
    tools(plain, plain),
    ({ tools: sent }) => expect(sent).toHaveLength(1),
  ),
  answered(
    [
      "a tool whose schema is one of several",
      "makenotion/notion-mcp-server#341",
      "one object with the members of all",
    ],
    both,
    tools(choices),
    (_body, text) => {
      expect(text).not.toContain('"anyOf"');
      expect(text).toContain('"properties":{"at":{"type":"string"},"zone":{"type":"string"}}');
    },
  ),
  answered(
    ["empty lists of tools and stops", "QwenLM/qwen-code#2054", "no lists"],
    both,
    {
      chat: { tools: [], stop: [], functions: [] },
      messages: { tools: [], stop_sequences: [] },
      responses: { tools: [] },
    },
    (body) => {
      const sent = Object.keys(body);
      expect(sent).not.toEqual(expect.arrayContaining(["tools"]));
      expect(sent).not.toEqual(expect.arrayContaining(["stop"]));
      expect(sent).not.toEqual(expect.arrayContaining(["functions"]));
    },
  ),
];

const marked = (text: string) => ({ type: "text", text, ...cached });

const ofMessages: readonly Situation[] = [
  answered(
    ["five marks for the cache", "Wei-Shaw/sub2api#176", "four: the oldest is left out"],
    messages,
    inMessages({
      system: [marked("be")],
      tools: [{ name: "get_time", input_schema: plain, ...cached }],
      messages: [
        { role: "user", content: [marked("a")] },
        { role: "assistant", content: [marked("b")] },
        { role: "user", content: [marked("c")] },
      ],
    }),
    (_body, text) => {
      expect(text.match(/"cache_control"/g)).toHaveLength(4);
      expect(text).toContain('{"type":"text","text":"a"}');
    },
  ),
  answered(
    ["a mark for the cache with a scope", "caozhiyuan/copilot-api#145", "the usual mark"],
    messages,
    inMessages({
      system: [{ type: "text", text: "be", cache_control: { type: "ephemeral", scope: "global" } }],
    }),
    ({ system }) => expect(system).toEqual([{ type: "text", text: "be", ...cached }]),
  ),
  answered(
    [
      "a tool that failed without a word",
      "aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15",
      "that it failed",
    ],
    both,
    inMessages({
      messages: [
        user,
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "c1", name: "get_time", input: {} }],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c1", is_error: true, content: [] }],
        },
      ],
    }),
    (_body, text) => expect(text).toMatch(/"content":"Error(?:: )?"/),
  ),
  answered(
    [
      "thinking that is enabled without a budget",
      "experientiallabs/experiential#905",
      "a medium one",
    ],
    both,
    inMessages({ thinking: { type: "enabled" }, max_tokens: 5000 }),
    (_body, text) => expect(text).toMatch(/"reasoning_effort":"medium"|"budget_tokens":4999/),
  ),
  answered(
    ["instructions among the messages", "sgasser/pasteguard#139", "the instructions"],
    both,
    inMessages({ messages: [user, { role: "system", content: "be brief" }, user] }),
    (_body, text) => expect(text).toMatch(/"system".{0,30}"be brief"/),
  ),
];

/** What Codex sends to have its conversation compacted. */
const compaction: Situation = {
  sent: "an answer to a request for a compaction",
  thread: "Soju06/codex-lb#998",
  got: "an answer without the item, at which Codex stops",
  right: "one item with the summary",
  upstream: both,
  asks: { chat: {}, messages: {}, responses: { input: [user, { type: "compaction_trigger" }] } },
  reads: {
    chat: reads,
    messages: reads,
    responses: { text: "", end: "stop", error: null },
  },
  check: (seen, spoken) => {
    if (spoken === "responses") expect(seen.at(-1)?.text).toContain("Write a summary");
  },
};

const noArguments: Situation = answered(
  ["an earlier call without arguments", "musistudio/claude-code-router#1485", "`{}`"],
  chat,
  {
    chat: {},
    messages: {},
    responses: {
      input: [
        user,
        { type: "function_call", call_id: "c1", name: "get_time" },
        { type: "function_call_output", call_id: "c1", output: "noon" },
      ],
    },
  },
  (_body, text) => expect(text).toContain('"arguments":"{}"'),
);
const emptyPart: Situation = answered(
  ["a part without a text beside others", "agentscope-ai/QwenPaw#287", "the others"],
  chat,
  {
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "" },
            { type: "text", text: "hello" },
          ],
        },
      ],
    },
    messages: {},
    responses: {},
  },
  (_body, text) => expect(text).not.toContain('"text":""'),
);

export const toolLists: readonly Situation[] = [
  ...ofTools,
  ...ofMessages,
  noArguments,
  emptyPart,
  compaction,
];
