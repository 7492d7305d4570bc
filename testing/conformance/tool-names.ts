/** Names that clients give to tools, schemas and people, and upstreams refuse. */
import { expect } from "vitest";
import { isRecord } from "@/lib/values/records";
import { type Script, sendJson } from "../upstream/test-upstream";
import { event, message, messageStart, messageUsage } from "../upstream/text-wires";
import { calls, OSLO } from "./call-words";
import type { Form, PerDialect, Situation } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, openai, piece } from "./upstreams";

const schema = { type: "object", properties: { city: { type: "string" } } };
const user = { role: "user", content: "hello" };
const taken = /^[A-Za-z_][\w-]{0,63}$/;
const takenByMessages = /^[\w-]{1,128}$/;

/** The first tool's name as the upstream got it. */
function toldName(body: Record<string, unknown>): string {
  const [tool]: unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const named = isRecord(tool) && isRecord(tool.function) ? tool.function : tool;
  return isRecord(named) ? String(named.name) : "";
}

/** An upstream of chat that calls the first tool, and refuses a name as OpenAI does. */
const callsIt =
  (form: Form): Script =>
  (response, request, count) => {
    const name = toldName(request.body);
    if (!taken.test(name)) return sendJson(response, JSON.stringify({ error: {} }), 400);
    const said = piece({ index: 0, id: "c1" }, name, OSLO);
    const answers = { ...chatStream([said], "tool_calls"), ...chatAnswer(said, "tool_calls") };
    return answers[form]?.(response, request, count);
  };

const callsItInMessages =
  (form: Form): Script =>
  (response, request) => {
    const name = toldName(request.body);
    if (!takenByMessages.test(name)) return sendJson(response, JSON.stringify({ error: {} }), 400);
    const use = { type: "tool_use", id: "c1", name };
    if (form === "plain") {
      const content = [{ ...use, input: { city: "Oslo" } }];
      const whole = { stop_reason: "tool_use", usage: messageUsage(100, 20) };
      return sendJson(response, message(content, whole));
    }
    const ending = { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      messageStart(messageUsage(100, 1)) +
        block(0, { ...use, input: {} }, { type: "input_json_delta", partial_json: OSLO }) +
        event("message_delta", ending) +
        event("message_stop"),
    );
    return undefined;
  };

/** A tool of this name, which was called before and is the one to call. */
const offering = (name: string): PerDialect<object> => ({
  chat: {
    messages: [
      user,
      {
        ...{ role: "assistant", content: null },
        tool_calls: [{ id: "c0", type: "function", function: { name, arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c0", content: "rain" },
    ],
    tools: [{ type: "function", function: { name, parameters: schema } }],
    tool_choice: { type: "function", function: { name } },
  },
  messages: {
    messages: [
      user,
      { role: "assistant", content: [{ type: "tool_use", id: "c0", name, input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c0", content: "rain" }] },
    ],
    tools: [{ name, input_schema: schema }],
    tool_choice: { type: "tool", name },
  },
  responses: {
    input: [
      user,
      { type: "function_call", call_id: "c0", name, arguments: "{}" },
      { type: "function_call_output", call_id: "c0", output: "rain" },
    ],
    tools: [{ type: "function", name, parameters: schema, strict: false }],
    tool_choice: { type: "function", name },
  },
});

const named = (words: string, thread: string, name: string): Situation => ({
  sent: `a call to a tool ${words}`,
  thread,
  got: "400 for every request",
  right: "a name that the upstream takes, and the client's own back",
  upstream: {
    openai: { plain: callsIt("plain"), stream: callsIt("stream") },
    anthropic: { plain: callsItInMessages("plain"), stream: callsItInMessages("stream") },
  },
  asks: offering(name),
  reads: calls({ name, input: { city: "Oslo" } }),
  check: (seen) => {
    const { body = {}, text = "" } = seen.at(-1) ?? {};
    // In the tool, in the choice and in the earlier call.
    expect(text.split(JSON.stringify(toldName(body)))).toHaveLength(4);
  },
});

const says = {
  ...chatStream([{ role: "assistant", content: "hi" }]),
  ...chatAnswer({ content: "hi" }),
};
const hi = { text: "hi", calls: [], end: "stop", error: null };

export const toolNames: readonly Situation[] = [
  named("whose name has dots", "openai/codex#8174", "calendar.respondToEvent"),
  named("whose name has slashes and a colon", "sxhxliang/mcp-access-point#10", "GET:/patterns/a"),
  named("whose name has a space", "inngest/agent-kit#108", "get weather"),
  named("whose name begins with a digit", "dust-tt/dust#28212", "3d_render"),
  named("of 100 characters", "mrexodia/ida-pro-mcp#129", `mcp__server__${"a".repeat(87)}`),
  named("of 200 characters", "microsoft/mcp#842", `mcp__server__${"b".repeat(187)}`),
  {
    sent: "an answer in JSON whose schema has a name with a space",
    got: "400",
    right: "a name that the upstream takes",
    upstream: { ...openai(says), anthropic: messageAnswer([{ type: "text", text: "hi" }]) },
    asks: {
      chat: {
        response_format: { type: "json_schema", json_schema: { name: "the answer", schema } },
      },
      messages: {},
      responses: { text: { format: { type: "json_schema", name: "the answer", schema } } },
    },
    reads: hi,
    check: (seen) => expect(seen.at(-1)?.text).not.toContain('"the answer"'),
  },
  {
    sent: "an answer to somebody whose name has a space",
    thread: "microsoft/autogen#4157",
    got: "400",
    right: "a name that the upstream takes",
    upstream: openai(says),
    asks: {
      chat: { messages: [{ ...user, name: "Ada Lovelace" }] },
      messages: {},
      responses: {},
    },
    reads: hi,
    check: (seen, spoken) => {
      if (spoken === "chat") expect(seen.at(-1)?.text).toContain('"name":"Ada_Lovelace"');
    },
  },
];
