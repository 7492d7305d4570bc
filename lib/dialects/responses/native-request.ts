/**
 * A request that only an upstream of the same API can carry out: it runs tools there, or refers to what
 * the upstream keeps. Any other is asked as chat, which all upstreams know.
 */
import { passedResponsesFields } from "../../contract/passed-text-fields";
import type { InputItem, ResponsesRequest } from "../../contract/responses";
import { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import { isCarried } from "../carried";
import { showDocument } from "../documents";
import { labels, shortLabel } from "../labels";
import { nativeText, onceForModel } from "../native-once";
import { type Asks, offersTool, passedFields, plainAsks, type SoldText } from "../text-asks";
import type { JsonObject, NativeRequest } from "../text-dialect";
import { withoutRepeats } from "../tool-names";
import { isForeign, isUnread } from "./chat-messages";
import { summaryIn } from "./compaction";
import { isOwn } from "./tools";

/** What passes unchanged. The relay writes the model and the cap, and stores the answer itself. */
const plainFields = [
  "instructions",
  "tool_choice",
  "parallel_tool_calls",
  "temperature",
  "top_p",
  "top_logprobs",
  "text",
  "reasoning",
  "include",
  "stream",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "moderation",
  "metadata",
  "service_tier",
] as const;

/** A part, with a text in place of a document that the model cannot read, or that is one. */
function shownPart(part: unknown, sold: SoldText): unknown {
  if (!isRecord(part) || part.type !== "input_file") return part;
  const { file_data: data, file_url: url, filename } = part;
  const shown = showDocument(String(data ?? url), filename, sold);
  if (shown.kind !== "file") return { type: "input_text", text: shown.text };
  return { ...part, [data ? "file_data" : "file_url"]: shown.file };
}

function shownParts(item: JsonObject, sold: SoldText): JsonObject {
  const name = item.type === undefined || item.type === "message" ? "content" : "output";
  const { [name]: parts } = item;
  return Array.isArray(parts)
    ? { ...item, [name]: parts.map((part: unknown) => shownPart(part, sold)) }
    : item;
}

/** Calls of the upstream's own tools have ids; others, which were made here, it does not know. */
function nativeItem(item: InputItem, sold: SoldText): JsonObject[] {
  if (item.type === "reasoning") {
    const { id: _, ...thought } = item;
    const { encrypted_content: signed } = item;
    return signed && !isCarried(signed) ? [thought] : [];
  }
  const summary = item.type === "compaction" ? summaryIn(item) : null;
  if (summary !== null) return [{ role: "user", content: summary }];
  if (isForeign(item)) return [item];
  if (isUnread(item)) return [];
  const { id: _, ...own } = item;
  // Others would run at the upstream, unbilled.
  if ("tools" in own && Array.isArray(own.tools))
    return [{ ...own, tools: own.tools.filter(isOwn) }];
  if (own.type === "function_call") return [{ ...own, arguments: own.arguments || "{}" }];
  return [shownParts(own, sold)];
}

const nativeInput = ({ input }: ResponsesRequest, sold: SoldText) =>
  typeof input === "string" ? input : input.flatMap((item) => nativeItem(item, sold));

function toolsOf({ tools, max_tool_calls: most }: ResponsesRequest, sold: SoldText): JsonObject {
  const offered = (tools ?? []).filter((tool) => isOwn(tool) || offersTool(sold, tool.type));
  const passed = withoutRepeats(offered, ({ name }) => name);
  const { calls_max: callsMax = 1 } = sold.offers.tools ?? {};
  if (passed.length === 0) return {};
  return { tools: passed, max_tool_calls: Math.min(most ?? callsMax, callsMax) };
}

function tierOf({ service_tier: tier }: ResponsesRequest, sold: SoldText): Asks["tier"] {
  return typeof tier === "string" && sold.hasTier(tier) ? { service_tier: tier } : {};
}

function toNative(request: ResponsesRequest, sold: SoldText): NativeRequest | null {
  const truncation = request.truncation === "auto" ? "auto" : null;
  const { fields, asks } = passedFields({ ...request, truncation }, passedResponsesFields, sold);
  const runsTools = (request.tools ?? []).some(({ type }) => offersTool(sold, type));
  if (!runsTools && Object.keys(fields).length === 0) return null;
  const given = plainFields.flatMap((name) => {
    const value = request[name];
    if (value === undefined || value === null) return [];
    return [[name, labels.has(name) ? shortLabel(value) : value] as const];
  });
  const body = {
    input: nativeInput(request, sold),
    ...Object.fromEntries(given),
    ...toolsOf(request, sold),
    ...fields,
    // A conversation that the upstream keeps grows there.
    store: fields.conversation !== undefined,
  };
  const left = (request.tools ?? []).filter((tool) => !isOwn(tool) && !offersTool(sold, tool.type));
  const unpassed = Object.keys(passedResponsesFields).filter(
    (name) => !Object.hasOwn(fields, name) && request[name] && request[name] !== "disabled",
  );
  return {
    ignored: [...unpassed, ...left.map(({ type }) => `tools.${type}`)],
    asks: { ...plainAsks, ...asks, runsTools, tier: tierOf(request, sold) },
    ...nativeText(body, (model, capTokens) => ({ model, max_output_tokens: capTokens })),
  };
}

export const nativeOf = (request: ResponsesRequest) =>
  onceForModel(
    (sold) => toNative(request, sold),
    (protocol) => protocol !== "anthropic",
  );

/** What changes the answer cannot be left out. */
export const assertOffered = (request: ResponsesRequest) => (sold: SoldText) => {
  for (const name of ["conversation", "prompt"] as const) {
    if (!request[name] || sold.offers.passes?.includes(name)) continue;
    throw new RelayError("unsupported_value", {
      param: name,
      message: `\`${name}\` is not supported; omit it.`,
    });
  }
};
