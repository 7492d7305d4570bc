/** Content blocks of a Messages request for an upstream that speaks Messages too: known fields pass, others are removed. */
import { isRecord } from "../../values/records";
import { isBlank } from "../blank-text";
import type { JsonObject } from "../text-dialect";
import { messagesCallId, messagesName, withName } from "../tool-names";
import { isOwnSignature } from "./answer-words";
import { blockFields } from "./block-fields";

const sourceFields: ReadonlySet<string> = new Set(["type", "media_type", "data", "url", "content"]);

const only = (value: JsonObject, names: ReadonlySet<string>): [string, unknown][] =>
  Object.entries(value).filter(([name, member]) => names.has(name) && member !== null);

/** The cache marker without a `ttl`: a write for one hour costs twice the input rate, for the default five minutes 1.25 times. */
export const CACHED = { type: "ephemeral" };

function member(name: string, value: unknown): unknown {
  if (name === "cache_control") return CACHED;
  if (name === "content" && Array.isArray(value)) return nativeBlocks(value);
  if (name !== "source" || !isRecord(value)) return value;
  const source = fields(value, sourceFields);
  // The text of a document needs its type, which a client may leave out here.
  return value.type === "text" ? { media_type: "text/plain", ...source } : source;
}

/** The named members of `value` that are set, each as it may pass. */
export const fields = (value: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(only(value, names).map(([name, one]) => [name, member(name, one)]));

/** Thinking of a model of another API, which no upstream of this one has signed. */
export const isUnsigned = (block: unknown): boolean =>
  isRecord(block) && block.type === "thinking" && isOwnSignature(block.signature);

/** Calls of a model of another API may have ids that an upstream of this one refuses. */
function withCallId(block: JsonObject): JsonObject {
  if (block.type === "tool_use") return { ...block, id: messagesCallId(block.id) };
  if (block.type !== "tool_result") return block;
  return { ...block, tool_use_id: messagesCallId(block.tool_use_id) };
}

/** A tool that failed and said nothing: upstreams refuse its result. */
function saying(block: JsonObject): JsonObject {
  const { type, is_error: isError, content } = block;
  const isSilent = content === undefined || content === "" || isEmpty(content);
  return type === "tool_result" && isError === true && isSilent
    ? { ...block, content: "Error" }
    : block;
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

/**
 * Texts without a word are refused. Unsigned thinking is left out, and so is what tools of other providers wrote, unless the upstream
 * runs tools itself.
 */
export function nativeBlocks(content: readonly unknown[], isOpen = false): JsonObject[] {
  return content.filter(isRecord).flatMap((block) => {
    if (isUnsigned(block) || (block.type === "text" && isBlank(block.text))) return [];
    // The upstream is not told which tools are found later: it has them all.
    if (block.type === "tool_reference") return [{ type: "text", text: block.tool_name }];
    const names = blockFields.get(String(block.type));
    if (names === undefined) return isOpen ? [block] : [];
    return [withCallId(withName(saying(fields(block, names)), messagesName))];
  });
}
