/** A request for an upstream that speaks the same API: as it came, but for what must not pass. */
import type { MessagesRequest } from "../../contract/messages";
import { BUDGET_TOKENS_MIN, MEDIUM_BUDGET_TOKENS_MAX } from "../../contract/messages-words";
import { needsContext } from "../../contract/passed-text-fields";
import { isRecord } from "../../values/records";
import { isBlank, withoutLastSpaces } from "../blank-text";
import { nativeText, onceForModel } from "../native-once";
import { type Asks, offersTool, type SoldText } from "../text-asks";
import type { JsonObject, NativeRequest } from "../text-dialect";
import { messagesName, withName, withoutRepeats } from "../tool-names";
import { objectSchema } from "../tool-schema";
import { blockFields } from "./block-fields";
import { withinMarks } from "./cache-marks";
import { unchanging } from "./changing-line";
import { CACHED, fields, isUnsigned, nativeBlocks } from "./native-blocks";
import { shownBlocks } from "./native-documents";
import { passedOf } from "./native-fields";
import { withPairedBlocks } from "./paired-blocks";
import { isCustom, toolFields } from "./to-chat";

/** What passes unchanged. The relay writes the model and the cap. */
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

function blocksOf(content: string | readonly unknown[], isOpen: boolean): JsonObject[] {
  if (typeof content !== "string") return nativeBlocks(content, isOpen);
  return isBlank(content) ? [] : [{ type: "text", text: content }];
}

function conversationOf(
  { system, messages }: MessagesRequest,
  isOpen: boolean,
  sold: SoldText,
): JsonObject {
  const instructions = unchanging([
    ...(system ? blocksOf(system, false) : []),
    ...messages.flatMap(({ role, content }) => (role === "system" ? blocksOf(content, false) : [])),
  ]);
  const said = messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => ({ role, content: blocksOf(shownBlocks(content, sold), isOpen) }))
    .filter(({ content }) => content.length > 0);
  return {
    ...(instructions.length > 0 ? { system: instructions } : {}),
    messages: withoutLastSpaces(withPairedBlocks(said)),
  };
}

/** A tool that the upstream runs, at most as often as is held for. */
function hostedTool(tool: JsonObject, { offers: { tools } }: SoldText): JsonObject {
  const { calls_max: most = 1 } = tools ?? {};
  if (!/^web_/.test(String(tool.type))) return tool;
  const { max_uses: asked } = tool;
  return { ...tool, max_uses: typeof asked === "number" ? Math.min(asked, most) : most };
}

function ownTool(tool: JsonObject): JsonObject {
  const { input_schema: schema } = tool;
  const usual = isRecord(schema) ? { ...tool, input_schema: objectSchema(schema) } : tool;
  return withName(usual, messagesName);
}

function toolsOf({ tools, tool_choice: choice }: MessagesRequest, sold: SoldText): JsonObject {
  const offered = (tools ?? []).filter((tool) => isCustom(tool) || offersTool(sold, tool.type));
  const passed = withoutRepeats(offered, ({ name }) => name);
  if (passed.length === 0) return {};
  const isKnown =
    choice && (choice.type !== "tool" || passed.some(({ name }) => name === choice.name));
  return {
    tools: passed.map((tool) =>
      isCustom(tool) ? ownTool(fields(tool, toolFields)) : hostedTool(tool, sold),
    ),
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

/** The kinds of blocks that only an upstream's own tools and settings make. */
const foreignBlocks = ({ messages }: MessagesRequest): string[] => {
  const types = messages.flatMap(({ content }) =>
    blocksIn(content).flatMap((block) => (isRecord(block) ? [String(block.type)] : [])),
  );
  return [...new Set(types)].filter((type) => !blockFields.has(type));
};

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
  const wanted = thinking.budget_tokens ?? MEDIUM_BUDGET_TOKENS_MAX;
  const budget = Math.min(wanted, capTokens - 1);
  if (budget < BUDGET_TOKENS_MIN) return {};
  return { thinking: { ...fields(thinking, thinkingFields), budget_tokens: budget } };
}

/** Written when the first channel needs it, and once for each model. */
export const nativeOf = (request: MessagesRequest) =>
  onceForModel(
    (sold) => toNative(request, sold),
    (protocol) => protocol === "anthropic",
  );

export function toNative(request: MessagesRequest, sold: SoldText): NativeRequest {
  const passed = passedOf(request, sold);
  const others = (request.tools ?? []).filter((tool) => !isCustom(tool));
  const hosted = others.filter(({ type }) => offersTool(sold, type));
  const foreign = foreignBlocks(request);
  const isOpen = sold.offers.tools !== undefined || needsContext(sold.offers.passes ?? []);
  const asks: Asks = {
    ...passed.asks,
    runsTools: hosted.length > 0 || "mcp_servers" in passed.members,
    addsInput: passed.asks.addsInput || (isOpen && foreign.length > 0),
  };
  const body = withinMarks({
    ...conversationOf(request, isOpen, sold),
    ...toolsOf(request, sold),
    ...outputOf(request),
    ...fields(request, plainFields),
    ...passed.members,
    ...(request.metadata?.user_id ? { metadata: fields(request.metadata, userId) } : {}),
    ...(request.cache_control ? { cache_control: CACHED } : {}),
  });
  const ignored = [
    ...passed.ignored,
    ...others.filter((tool) => !hosted.includes(tool)).map(({ type }) => `tools.${type}`),
    ...(isOpen ? [] : foreign.map((type) => `messages.content.${type}`)),
    ...(request.tool_choice && !("tools" in body) ? ["tool_choice"] : []),
    ...(hasUnsigned(request) ? ["messages.content.thinking"] : []),
    ...(request.thinking && goesOnUnsigned(request) ? ["thinking"] : []),
  ];
  return {
    ignored,
    asks,
    headers: passed.headers,
    ...nativeText(body, (model, capTokens) => ({
      model,
      max_tokens: capTokens,
      ...thinkingOf(request, capTokens),
    })),
  };
}
