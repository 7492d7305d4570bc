/** A request for an upstream that speaks the same API: as it came, but for what must not pass. */
import type { MessagesRequest } from "../../contract/messages";
import { BUDGET_TOKENS_MIN } from "../../contract/messages-words";
import { isRecord } from "../../values/records";
import type { JsonObject, NativeRequest } from "../text-dialect";
import { messagesName, withName } from "../tool-names";
import { unchanging } from "./changing-line";
import { CACHED, fields, isUnsigned, nativeBlocks } from "./native-blocks";
import { isCustom, toolFields } from "./to-chat";

/** What passes unchanged. The relay writes the model and the cap, and the tier has no effect. */
const plainFields: ReadonlySet<string> = new Set([
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "stream",
]);
const userId: ReadonlySet<string> = new Set(["user_id"]);
const choiceFields: ReadonlySet<string> = new Set(["type", "name", "disable_parallel_tool_use"]);
const thinkingFields: ReadonlySet<string> = new Set(["type", "budget_tokens"]);

type Content = MessagesRequest["messages"][number]["content"];

const blocksOf = (content: Content): JsonObject[] =>
  typeof content === "string"
    ? content === ""
      ? []
      : [{ type: "text", text: content }]
    : nativeBlocks(content);

function conversationOf({ system, messages }: MessagesRequest): JsonObject {
  const instructions = unchanging([
    ...(system ? blocksOf(system) : []),
    ...messages.flatMap(({ role, content }) => (role === "system" ? blocksOf(content) : [])),
  ]);
  const said = messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => ({ role, content: blocksOf(content) }))
    .filter(({ content }) => content.length > 0);
  return { ...(instructions.length > 0 ? { system: instructions } : {}), messages: said };
}

function toolsOf({ tools, tool_choice: choice }: MessagesRequest): JsonObject {
  const custom = (tools ?? []).filter(isCustom);
  if (custom.length === 0) return {};
  const isKnown =
    choice && (choice.type !== "tool" || custom.some(({ name }) => name === choice.name));
  return {
    tools: custom.map((tool) => withName(fields(tool, toolFields), messagesName)),
    ...(isKnown ? { tool_choice: withName(fields(choice, choiceFields), messagesName) } : {}),
  };
}

function outputOf({ output_config: config, output_format: older }: MessagesRequest): JsonObject {
  const format = config?.format ?? older;
  const output = {
    ...(config?.effort ? { effort: config.effort } : {}),
    ...(format ? { format: { type: format.type, schema: format.schema } } : {}),
  };
  return Object.keys(output).length > 0 ? { output_config: output } : {};
}

const blocksIn = (content: Content | undefined): readonly unknown[] =>
  Array.isArray(content) ? content : [];

const hasUnsigned = ({ messages }: MessagesRequest): boolean =>
  messages.some(({ content }) => blocksIn(content).some(isUnsigned));

/**
 * True when the model is to go on after a call before which a model of another API thought: it would
 * have to see signed thinking there, if it were to think on.
 */
function goesOnUnsigned({ messages }: MessagesRequest): boolean {
  const last = messages.findLast(({ role }) => role === "assistant");
  const isAnswered = blocksIn(messages.at(-1)?.content).some(
    (block) => isRecord(block) && block.type === "tool_result",
  );
  return isAnswered && blocksIn(last?.content).some(isUnsigned);
}

/** Thinking counts within the cap, and a part of it must be left for the answer. */
function thinkingOf(request: MessagesRequest, capTokens: number): JsonObject {
  const { thinking } = request;
  if (!thinking || goesOnUnsigned(request)) return {};
  if (thinking.type !== "enabled") return { thinking: { type: thinking.type } };
  const budget = Math.min(thinking.budget_tokens, capTokens - 1);
  if (budget < BUDGET_TOKENS_MIN) return {};
  return { thinking: { ...fields(thinking, thinkingFields), budget_tokens: budget } };
}

/** Written when the first channel needs it, and once. */
export function nativeOf(request: MessagesRequest): () => NativeRequest {
  let made: NativeRequest | null = null;
  return () => {
    made ??= toNative(request);
    return made;
  };
}

export function toNative(request: MessagesRequest): NativeRequest {
  const body = {
    ...conversationOf(request),
    ...toolsOf(request),
    ...outputOf(request),
    ...fields(request, plainFields),
    ...(request.metadata?.user_id ? { metadata: fields(request.metadata, userId) } : {}),
    ...(request.cache_control ? { cache_control: CACHED } : {}),
  };
  const text = JSON.stringify(body);
  const ignored = [
    ...(hasUnsigned(request) ? ["messages.content.thinking"] : []),
    ...(request.thinking && goesOnUnsigned(request) ? ["thinking"] : []),
  ];
  return {
    ignored,
    input: text,
    bytes: Buffer.byteLength(text),
    text(model, capTokens) {
      const own = { model, max_tokens: capTokens, ...thinkingOf(request, capTokens) };
      return `${JSON.stringify(own).slice(0, -1)},${text.slice(1)}`;
    },
  };
}
