/** A request of the Messages API as a chat request. */
import type { ChatRequest } from "../../contract/chat";
import type { MessagesRequest } from "../../contract/messages";
import { LOW_BUDGET_TOKENS_MAX, MEDIUM_BUDGET_TOKENS_MAX } from "../../contract/messages-words";
import { passedMessagesFields } from "../../contract/passed-text-fields";
import { invalidValue, RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import { LeftOut } from "../left-out";
import type { CanonicalRequest } from "../text-dialect";
import { assistantMessages, systemText, userMessages } from "./conversation";

/** The longest `user` that upstreams accept. */
const USER_LENGTH_MAX = 64;

/** Fields that only an upstream of this API may get. */
export const nativeFields: readonly string[] = [
  ...Object.keys(passedMessagesFields),
  "speed",
  "inference_geo",
];

/** `cache_control` is accepted: what an upstream finds in its cache is its own decision. */
const requestFields: ReadonlySet<string> = new Set([
  "model",
  "models",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "max_tokens",
  "stream",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "metadata",
  "service_tier",
  "cache_control",
]);
export const toolFields: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "input_schema",
  "strict",
  "cache_control",
]);

type Message = ChatRequest["messages"][number];
type Tool = NonNullable<MessagesRequest["tools"]>[number];
/** A tool that the client runs itself. */
type CustomTool = Extract<Tool, { input_schema: unknown }>;

export const isCustom = (tool: Tool): tool is CustomTool => (tool.type ?? "custom") === "custom";

function conversationOf(
  { system, messages }: MessagesRequest,
  leftOut: LeftOut,
  dropped: LeftOut,
): Message[] {
  const conversation: Message[] = [];
  const instructions = system ? systemText(system, leftOut) : "";
  if (instructions !== "") conversation.push({ role: "system", content: instructions });
  for (const message of messages) {
    if (message.role === "user")
      conversation.push(...userMessages(message.content, leftOut, dropped));
    else if (message.role === "assistant")
      conversation.push(...assistantMessages(message.content, leftOut, dropped));
    else conversation.push({ role: "system", content: systemText(message.content, leftOut) });
  }
  if (conversation.length > 0) return conversation;
  throw invalidValue("messages", "`messages` has nothing that can be sent to the model.");
}

function functionsOf(
  tools: MessagesRequest["tools"],
  leftOut: LeftOut,
  dropped: LeftOut,
): object[] {
  return (tools ?? []).flatMap((tool) => {
    if (!isCustom(tool)) {
      dropped.add(`tools.${tool.type}`);
      return [];
    }
    leftOut.addUnknown(tool, toolFields, "tools.");
    const { name, description, input_schema: parameters, strict } = tool;
    const definition = {
      name,
      ...(typeof description === "string" ? { description } : {}),
      parameters,
      ...(typeof strict === "boolean" ? { strict } : {}),
    };
    return [{ type: "function", function: definition }];
  });
}

function addTools(
  body: ChatRequest,
  { tools, tool_choice: choice }: MessagesRequest,
  leftOut: LeftOut,
  dropped: LeftOut,
): void {
  const functions = functionsOf(tools, leftOut, dropped);
  if (functions.length === 0) {
    if (choice) dropped.add("tool_choice");
    return;
  }
  body.tools = functions;
  if (!choice) return;
  if (choice.type === "any") body.tool_choice = "required";
  else if (choice.type !== "tool") body.tool_choice = choice.type;
  else if ((tools ?? []).some((tool) => isCustom(tool) && tool.name === choice.name))
    body.tool_choice = { type: "function", function: { name: choice.name } };
  else leftOut.add("tool_choice");
  if (choice.type !== "none" && typeof choice.disable_parallel_tool_use === "boolean")
    body.parallel_tool_calls = !choice.disable_parallel_tool_use;
}

function effortOf({ thinking, output_config: config }: MessagesRequest): string | null {
  if (config?.effort)
    return config.effort === "xhigh" || config.effort === "max" ? "high" : config.effort;
  if (thinking?.type !== "enabled") return null;
  const budget = thinking.budget_tokens ?? MEDIUM_BUDGET_TOKENS_MAX;
  if (budget <= LOW_BUDGET_TOKENS_MAX) return "low";
  return budget <= MEDIUM_BUDGET_TOKENS_MAX ? "medium" : "high";
}

function addOutput(body: ChatRequest, request: MessagesRequest): void {
  const effort = effortOf(request);
  if (effort !== null) body.reasoning_effort = effort;
  const format = request.output_config?.format ?? request.output_format;
  if (format)
    body.response_format = {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: format.schema },
    };
}

/** What else has another name in this API. */
const fieldNames = {
  "messages.reasoning_content": "messages.content.thinking",
  "messages.content.file": "messages.content.document",
};

/**
 * A request that continues a thread has only what is new. Nothing is kept of the turns before, so the
 * client is told, in the API's own words, to send the whole conversation.
 */
function assertWhole({ thread }: MessagesRequest): void {
  if (!isRecord(thread) || thread.type !== "continue") return;
  throw new RelayError("not_found", {
    param: "thread",
    message: "No threads of messages are kept here: send the whole conversation.",
    fields: { details: { error_code: "thread_not_found" } },
  });
}

/** The chat request, and the fields that it cannot carry. */
export function toChat(request: MessagesRequest): CanonicalRequest {
  assertWhole(request);
  const leftOut = new LeftOut();
  const dropped = new LeftOut();
  leftOut.addUnknown(request, new Set([...requestFields, ...nativeFields]));
  for (const name of nativeFields) if (request[name]) dropped.add(name);
  const body: ChatRequest = {
    model: request.model,
    messages: conversationOf(request, leftOut, dropped),
    max_tokens: request.max_tokens,
  };
  if (request.models) body.models = request.models;
  if (request.stream === true) body.stream = true;
  for (const name of ["temperature", "top_p", "top_k"] as const)
    if (typeof request[name] === "number") body[name] = request[name];
  if (request.stop_sequences && request.stop_sequences.length > 0)
    body.stop = request.stop_sequences;
  // Half of a surrogate pair at the end is no text for an upstream.
  if (request.metadata?.user_id)
    body.user = request.metadata.user_id.slice(0, USER_LENGTH_MAX).replace(/[\ud800-\udbff]$/, "");
  addTools(body, request, leftOut, dropped);
  addOutput(body, request);
  return { body, ignored: leftOut.names, ignoredInChat: dropped.names, fieldNames };
}
