/** What clients send in a form that upstreams refuse, and what the upstream must get. */
import { expect } from "vitest";
import type { Situation } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, messageStream, openai } from "./upstreams";

const user = { role: "user", content: "hello" };
const schema = { type: "object", properties: { city: { type: "string" } } };
const tool = { type: "function", function: { name: "f", description: "d", parameters: schema } };
const call = (given: unknown) => ({
  id: "c1",
  type: "function",
  function: { name: "f", arguments: given },
});
const result = { role: "tool", tool_call_id: "c1", content: "rain" };
const upstream = openai(
  chatStream([{ role: "assistant", content: "hi" }]),
  chatAnswer({ content: "hi" }),
);
const reads = { text: "hi", calls: [], end: "stop", error: null };

/** What a client of chat sends, and what the upstream gets of it. */
const sending = (
  sent: string,
  thread: string | null,
  got: string,
  right: string,
  chat: object,
  gets: object,
  lacks: readonly string[] = [],
): Situation => ({
  ...{ sent: `an answer to ${sent}`, thread, got, right, upstream, reads },
  asks: { chat, messages: {}, responses: {} },
  check: (seen, spoken) => {
    if (spoken !== "chat") return;
    const body = seen.at(-1)?.body ?? {};
    expect(body).toMatchObject(gets);
    expect(lacks.filter((name) => name in body)).toEqual([]);
  },
});

/** For what the library does not stream. */
const plainly = (...given: Parameters<typeof sending>): Situation => ({
  ...sending(...given),
  upstream: openai(chatAnswer({ content: "hi" })),
});

const named = "as it was sent, or left out without a word";
const choice = { type: "function", function: { name: "f" } };

export const clientForms: readonly Situation[] = [
  sending(
    "an empty list of calls in a message",
    null,
    "400",
    "no list",
    { messages: [user, { role: "assistant", content: "x", tool_calls: [] }, user] },
    { messages: [user, { role: "assistant", content: "x" }, user] },
  ),
  sending(
    "arguments of an earlier call as an object",
    null,
    "400",
    "their text",
    {
      messages: [
        user,
        { role: "assistant", content: null, tool_calls: [call({ city: "Oslo" })] },
        result,
      ],
    },
    { messages: [user, { tool_calls: [call('{"city":"Oslo"}')] }, result] },
  ),
  plainly(
    "a tool in the form of the Responses API",
    null,
    "a tool without a name",
    "the tool",
    {
      messages: [user],
      tools: [{ type: "function", name: "f", description: "d", parameters: schema }],
    },
    { tools: [tool] },
  ),
  sending(
    "a tool in the form of the Messages API, and its choice",
    null,
    named,
    "the tool, and the choice",
    {
      messages: [user],
      tools: [{ name: "f", description: "d", input_schema: schema }],
      tool_choice: { type: "tool", name: "f" },
    },
    { tools: [tool], tool_choice: choice },
  ),
  sending(
    "`tool_choice` as an object of one word",
    null,
    named,
    "the word",
    { messages: [user], tools: [tool], tool_choice: { type: "auto" } },
    { tool_choice: "auto" },
  ),
  sending(
    "`tool_choice` and `parallel_tool_calls` without tools",
    null,
    "400",
    "neither",
    { messages: [user], tools: undefined, tool_choice: "auto", parallel_tool_calls: true },
    {},
    ["tool_choice", "parallel_tool_calls"],
  ),
  {
    sent: "an answer to a reference to a tool in a tool's result",
    thread: "anthropics/claude-code#20635",
    got: "400 for every turn from then on",
    right: "the tool's name",
    upstream,
    reads,
    asks: {
      chat: {},
      messages: {
        messages: [
          user,
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "f", input: {} }] },
          {
            role: "user",
            content: [
              {
                ...{ type: "tool_result", tool_use_id: "c1" },
                content: [{ type: "tool_reference", tool_name: "get_time" }],
              },
            ],
          },
        ],
      },
      responses: {},
    },
    check: (seen, spoken) => {
      if (spoken === "messages") expect(seen.at(-1)?.text).toContain('"content":"get_time"');
    },
  },
  {
    sent: "an answer to instructions that begin with a line for Anthropic's bills, another in each request",
    thread: "anthropics/claude-code#68900",
    got: "as it was sent: nothing was found in the upstream's prompt cache",
    right: "the instructions without that line",
    upstream: {
      ...upstream,
      anthropic: {
        ...messageStream([
          block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" }),
        ]),
        ...messageAnswer([{ type: "text", text: "hi" }]),
      },
    },
    reads,
    asks: {
      chat: {},
      messages: {
        system: [
          {
            type: "text",
            text: "x-anthropic-billing-header: cc_version=2.1.37.0d9; cc_entrypoint=cli; cch=fa690;",
          },
          { type: "text", text: "be brief" },
        ],
      },
      responses: {},
    },
    check: (seen, spoken) => {
      if (spoken !== "messages") return;
      expect(seen.at(-1)?.text).toContain("be brief");
      expect(seen.at(-1)?.text).not.toContain("billing-header");
    },
  },
];
