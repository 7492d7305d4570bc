/** The content of one chat message as content blocks. */
import { isBlank } from "../../dialects/blank-text";
import { messagesCallId } from "../../dialects/tool-names";
import type { JsonObject } from "../provider";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { objectsOf, textOf } from "./json-reading";

function sourceOf(url: string): JsonObject {
  const encoded = /^data:([^;,]+);base64,/.exec(url);
  return encoded === null
    ? { type: "url", url }
    : { type: "base64", media_type: encoded[1], data: url.slice(encoded[0].length) };
}

function documentBlock(file: JsonObject): JsonObject {
  const title = textOf(file.filename);
  const source = sourceOf(textOf(file.file_data));
  return { type: "document", source, ...(title === "" ? {} : { title }) };
}

/** A text without a word is refused upstream, and says nothing. */
const textBlocks = (text: string): JsonObject[] => (isBlank(text) ? [] : [{ type: "text", text }]);

export function contentBlocks(content: unknown): JsonObject[] {
  if (typeof content === "string") return textBlocks(content);
  return objectsOf(content).flatMap((part) => {
    if (part.type === "image_url")
      return [{ type: "image", source: sourceOf(textOf(asObject(part.image_url)?.url)) }];
    return part.type === "file"
      ? [documentBlock(asObject(part.file) ?? {})]
      : textBlocks(textOf(part.text));
  });
}

/**
 * What a model wrote for a tool. What is no JSON object, or nested too deep to be written again, is
 * sent as the text that it is.
 */
function inputOf(written: unknown): JsonObject {
  const text = textOf(written);
  if (text.trim() === "") return {};
  return parseUpstreamObject(text) ?? { invalid_json: text };
}

export function callBlocks({ tool_calls: calls, function_call: single }: JsonObject): JsonObject[] {
  const called = asObject(single);
  const all = called === null ? objectsOf(calls) : [{ id: called.name, function: called }];
  return all.map(({ id, function: given }) => {
    const { name, arguments: written } = asObject(given) ?? {};
    return {
      type: "tool_use",
      id: messagesCallId(id),
      name: textOf(name),
      input: inputOf(written),
    };
  });
}
