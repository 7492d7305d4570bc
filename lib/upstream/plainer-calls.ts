/** The calls of earlier turns, for upstreams that take only some of them. */
import { createHash } from "node:crypto";
import { isRecord } from "../values/records";
import type { JsonObject } from "./provider";

/** Mistral takes letters and digits alone, and no more and no fewer. */
const ID_CHARACTERS = 9;
/** With it Gemini takes a call that comes without the signature of its model's thinking. */
const NO_SIGNATURE = { google: { thought_signature: "skip_thought_signature_validator" } };

/** The same for the same id, so a call and its result still belong together. */
const shortId = (id: unknown): unknown =>
  typeof id === "string"
    ? createHash("sha256").update(id).digest("hex").slice(0, ID_CHARACTERS)
    : id;

const callsOf = ({ tool_calls: calls }: JsonObject): readonly unknown[] =>
  Array.isArray(calls) ? calls : [];

export function withShortIds(message: JsonObject): JsonObject {
  const { tool_call_id: id } = message;
  const own = id === undefined ? message : { ...message, tool_call_id: shortId(id) };
  const calls = callsOf(message);
  if (calls.length === 0) return own;
  const short = calls.map((call) => (isRecord(call) ? { ...call, id: shortId(call.id) } : call));
  return { ...own, tool_calls: short };
}

/** Of the calls of one message, the first has the signature of them all. */
export function withSignature(message: JsonObject): JsonObject {
  const [first, ...rest] = callsOf(message);
  const isSigned = [first, ...rest].some((call) => isRecord(call) && isRecord(call.extra_content));
  if (!isRecord(first) || isSigned) return message;
  return { ...message, tool_calls: [{ ...first, extra_content: NO_SIGNATURE }, ...rest] };
}

/** The calls alone, for an upstream that knows no member beside them. */
export function withoutSignatures(
  message: JsonObject,
  leaveOut: (name: string) => void,
): JsonObject {
  const calls = callsOf(message);
  if (!calls.some((call) => isRecord(call) && call.extra_content !== undefined)) return message;
  leaveOut("messages.tool_calls.extra_content");
  const plain = calls.map((call) => {
    if (!isRecord(call)) return call;
    const { extra_content: _, ...rest } = call;
    return rest;
  });
  return { ...message, tool_calls: plain };
}

const isImage = (part: unknown) => isRecord(part) && part.type === "image_url";

const nameOf = (call: unknown): unknown =>
  isRecord(call) && isRecord(call.function) ? call.function.name : undefined;

/**
 * Tools of the names of earlier calls, for an upstream that takes none without tools; none where there
 * are tools.
 */
export function toolsOfCalls({ tools, messages }: JsonObject): JsonObject[] {
  if (tools !== undefined || !Array.isArray(messages)) return [];
  const called = messages.filter(isRecord).flatMap(callsOf).map(nameOf);
  const names = new Set(called.filter((name) => typeof name === "string"));
  const parameters = { type: "object", properties: {} };
  return [...names].map((name) => ({ type: "function", function: { name, parameters } }));
}

/** The tool that is chosen alone, for an upstream that takes words as the choice. */
export function withNamedAlone(body: JsonObject): JsonObject {
  const { tool_choice: choice, tools } = body;
  if (!isRecord(choice) || !Array.isArray(tools)) return body;
  const named = tools.filter((tool) => nameOf(tool) === nameOf(choice));
  return named.length === 0 ? body : { ...body, tools: named, tool_choice: "required" };
}

/** Documents in the form in which Gemini takes them. */
export function withFilesAsImages(message: JsonObject): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const parts = content.map((part: unknown) =>
    isRecord(part) && isRecord(part.file)
      ? { type: "image_url", image_url: { url: part.file.file_data } }
      : part,
  );
  return { ...message, content: parts };
}

/** Images that are not the user's, as the user's: after the results of calls, which belong together. */
export function withImagesAfter(messages: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = [];
  let images: unknown[] = [];
  const add = () => {
    if (images.length > 0) all.push({ role: "user", content: images });
    images = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") add();
    const parts: unknown[] = Array.isArray(message.content) ? message.content : [];
    if (message.role !== "user" && parts.some(isImage)) {
      images.push(...parts.filter(isImage));
      const texts = parts.filter((part) => !isImage(part));
      all.push({ ...message, content: texts.length === 0 ? "" : texts });
    } else all.push(message);
  }
  add();
  return all;
}
