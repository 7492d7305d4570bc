/** A request of the Messages API without what an upstream of that API cannot read. */
import type { Reading, Refusable } from "../contract/channel-profile";
import { isRecord } from "../values/records";
import { usualEffort } from "./plainer-form";
import { withPlainSchema } from "./plainer-schema";
import type { JsonObject } from "./provider";

type LeaveOut = (name: string) => void;

/** Fields of both APIs, by the name that a refusal has for them. */
const fields: Readonly<Partial<Record<Reading, string>>> = {
  temperature: "temperature",
  top_p: "top_p",
  top_k: "top_k",
  stop: "stop_sequences",
  metadata: "metadata",
};

/** The model chooses among the tools, or has none where it is to use none. */
function withoutChoice(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { tool_choice: choice, ...free } = body;
  const type = isRecord(choice) ? choice.type : "auto";
  if (type !== "auto" && type !== "none") leaveOut("tool_choice");
  if (type !== "none") return free;
  const { tools: _, ...rest } = free;
  return rest;
}

function withPlainTools(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  if (!Array.isArray(body.tools)) return body;
  leaveOut("tools.input_schema");
  const tools = body.tools.map((tool: unknown) =>
    isRecord(tool) ? { ...tool, input_schema: withPlainSchema(tool.input_schema) } : tool,
  );
  return { ...body, tools };
}

function withoutEffort(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { output_config: config, ...rest } = body;
  if (!isRecord(config) || config.effort === undefined) return body;
  const { effort: _, ...others } = config;
  leaveOut("output_config.effort");
  return Object.keys(others).length === 0 ? rest : { ...rest, output_config: others };
}

function withUsualEffort(body: JsonObject): JsonObject {
  const { output_config: config } = body;
  const effort = isRecord(config) ? usualEffort(config.effort) : null;
  if (effort === null || !isRecord(config)) return body;
  return { ...body, output_config: { ...config, effort } };
}

/** Newer models choose themselves how long they think, and older ones do not. */
function plainThinking(body: JsonObject, name: Refusable, leaveOut: LeaveOut): JsonObject {
  const { thinking, ...rest } = body;
  const type = isRecord(thinking) ? thinking.type : null;
  if (name === "thinking_enabled" && type === "enabled")
    return { ...rest, thinking: { type: "adaptive" } };
  if (name !== "thinking_adaptive" || type !== "adaptive") return body;
  leaveOut("thinking");
  return rest;
}

/** One of two ways to choose tokens, of which newer models take one. */
function withoutPair(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { top_p: share, ...rest } = body;
  if (share === undefined || body.temperature === undefined) return body;
  leaveOut("top_p");
  return rest;
}

const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const hasType =
  (...types: readonly string[]) =>
  ({ type }: JsonObject) =>
    types.some((one) => one === type);
const isThought = hasType("thinking", "redacted_thinking");
const isReasoning = hasType("reasoning");

/** A message of thinking alone goes with it. */
function withoutThoughts(messages: readonly JsonObject[]): JsonObject[] {
  return messages.flatMap((message) => {
    const blocks = listOf(message.content);
    if (!blocks.some(isThought)) return [message];
    const rest = blocks.filter((block) => !isThought(block));
    return rest.length === 0 ? [] : [{ ...message, content: rest }];
  });
}

/** Whether a model waits for the results of tools: then upstreams want its thinking before the calls. */
const isAmongCalls = (messages: readonly JsonObject[]): boolean =>
  listOf(messages.at(-1)?.content).some(hasType("tool_result"));

/** Thinking that another account has signed or encrypted, in the Messages and in the Responses API. */
function withoutSigned(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const [messages, input] = [listOf(body.messages), listOf(body.input)];
  if (input.some(isReasoning)) {
    leaveOut("input.reasoning");
    return { ...body, input: input.filter((item) => !isReasoning(item)) };
  }
  if (!messages.some(({ content }) => listOf(content).some(isThought))) return body;
  leaveOut("messages.content.thinking");
  const plain = { ...body, messages: withoutThoughts(messages) };
  if (!isAmongCalls(messages) || !isRecord(body.thinking) || body.thinking.type !== "enabled")
    return plain;
  leaveOut("thinking");
  return { ...plain, thinking: { type: "disabled" } };
}

/** `text` itself when nothing of it is `unread`. */
export function plainerNative(
  text: string,
  unread: readonly Refusable[],
  leaveOut: LeaveOut,
): string {
  if (unread.length === 0) return text;
  const read: unknown = JSON.parse(text);
  let body = isRecord(read) ? read : {};
  for (const name of unread) {
    const field = name === "signed_thinking" ? undefined : fields[name];
    if (field !== undefined && body[field] !== undefined) {
      const { [field]: _, ...rest } = body;
      leaveOut(field);
      body = rest;
    }
    if (name === "tool_choice") body = withoutChoice(body, leaveOut);
    if (name === "tool_schema") body = withPlainTools(body, leaveOut);
    if (name === "reasoning_effort") body = withoutEffort(body, leaveOut);
    if (name === "effort_word") body = withUsualEffort(body);
    if (name === "sampling_pair") body = withoutPair(body, leaveOut);
    if (name === "signed_thinking") body = withoutSigned(body, leaveOut);
    body = plainThinking(body, name, leaveOut);
  }
  return JSON.stringify(body);
}
