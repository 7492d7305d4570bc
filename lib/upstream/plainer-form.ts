/**
 * A chat request in a plainer form, for an upstream that cannot read all of it: what it cannot read is
 * said in another way, or left out and named.
 */
import { type Refusable, readFields } from "../contract/channel-profile";
import { isRecord } from "../values/records";
import {
  toolsOfCalls,
  withFilesAsImages,
  withImagesAfter,
  withNamedAlone,
  withoutSignatures,
  withShortIds,
  withSignature,
} from "./plainer-calls";
import { withPlainSchemas } from "./plainer-schema";
import { inTurns } from "./plainer-turns";
import type { JsonObject } from "./provider";

type Unread = ReadonlySet<Refusable>;
/** Called with the name of what is left out. */
type LeaveOut = (name: string) => void;

const textOfPart = (part: unknown): string | null =>
  isRecord(part) && part.type === "text" && typeof part.text === "string" ? part.text : null;

/** The text of parts that are all text; null when one is not. */
function textOfParts(content: unknown): string | null {
  if (!Array.isArray(content)) return typeof content === "string" ? content : null;
  const texts = content.map(textOfPart);
  return texts.includes(null) ? null : texts.join("\n");
}

/** What was thought in earlier turns, as makers name it. */
const thoughtNames = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** The text of what was thought stays. */
function withoutSigned(message: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { reasoning_details: details, ...rest } = message;
  if (details !== undefined) leaveOut("messages.reasoning_details");
  const own = details === undefined ? message : rest;
  const plain = withoutSignatures(own, leaveOut);
  return plain === own ? own : withSignature(plain);
}

function plainMessage(message: JsonObject, unread: Unread, leaveOut: LeaveOut): JsonObject {
  let own = message;
  if (own.role === "developer" && unread.has("developer")) own = { ...own, role: "system" };
  if (own.content === null && unread.has("content_null")) own = { ...own, content: "" };
  if (Array.isArray(own.content) && unread.has("content_parts")) {
    const text = textOfParts(own.content);
    if (text !== null) own = { ...own, content: text };
  }
  if (unread.has("file_parts")) own = withFilesAsImages(own);
  for (const name of thoughtNames) {
    if (own[name] === undefined || !unread.has(name)) continue;
    const { [name]: _, ...rest } = own;
    leaveOut(`messages.${name}`);
    own = rest;
  }
  if (unread.has("call_ids")) own = withShortIds(own);
  if (unread.has("signed_thinking")) own = withoutSigned(own, leaveOut);
  if (unread.has("extra_content")) own = withoutSignatures(own, leaveOut);
  return unread.has("call_signature") ? withSignature(own) : own;
}

const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";

/** The instructions as the user's, and those at the beginning in one message with what follows. */
function systemAsUser(messages: readonly JsonObject[]): JsonObject[] {
  const end = messages.findIndex((message) => !isSystem(message) && message.role !== "user");
  const first = messages.slice(0, end === -1 ? messages.length : end);
  const texts = first.map(({ content }) => textOfParts(content));
  const asUser = (message: JsonObject) =>
    isSystem(message) ? { ...message, role: "user" } : message;
  return first.length < 2 || !first.some(isSystem) || texts.includes(null)
    ? messages.map(asUser)
    : [{ role: "user", content: texts.join("\n\n") }, ...messages.slice(first.length).map(asUser)];
}

/** The instructions at the beginning as one message, and later ones as the user's. */
function systemFirst(messages: readonly JsonObject[]): JsonObject[] {
  const end = messages.findIndex((message) => !isSystem(message));
  const first = messages.slice(0, end === -1 ? messages.length : end);
  const rest = messages
    .slice(first.length)
    .map((message) => (isSystem(message) ? { ...message, role: "user" } : message));
  const [only] = first;
  if (only === undefined || first.length === 1) return [...first, ...rest];
  const texts = first.map(({ content }) => textOfParts(content));
  return texts.includes(null)
    ? [...first, ...rest]
    : [{ ...only, content: texts.join("\n\n") }, ...rest];
}

/** Tells in words which schema the answer has, for an upstream that knows JSON but no schema of it. */
function schemaInWords(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const format = body.response_format;
  if (!isRecord(format) || format.type !== "json_schema") return body;
  leaveOut("response_format.json_schema");
  const schema = isRecord(format.json_schema) ? format.json_schema.schema : undefined;
  const words = `Answer with JSON that fits this JSON schema: ${JSON.stringify(schema ?? {})}`;
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return {
    ...body,
    response_format: { type: "json_object" },
    messages: [{ role: "system", content: words }, ...messages],
  };
}

/** For an upstream that knows schemas, and no JSON without one; without a format for one that knows neither. */
function anyObject(body: JsonObject, unread: Unread, leaveOut: LeaveOut): JsonObject {
  const { response_format: format, ...rest } = body;
  if (!isRecord(format) || format.type !== "json_object") return body;
  const any = { name: "answer", schema: { type: "object" } };
  if (!unread.has("json_schema"))
    return { ...rest, response_format: { type: "json_schema", json_schema: any } };
  leaveOut("response_format");
  return rest;
}

/** The model chooses among the tools, or has none where it is to use none. */
function withoutChoice(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { tool_choice: choice, ...free } = body;
  if (choice === undefined || choice === "none") {
    const { tools: _, parallel_tool_calls: __, ...rest } = free;
    return choice === undefined ? body : rest;
  }
  if (choice !== "auto") leaveOut("tool_choice");
  return free;
}

function withoutStrict(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool: unknown) => {
    if (!isRecord(tool) || !isRecord(tool.function)) return tool;
    const { strict: _, ...definition } = tool.function;
    return { ...tool, function: definition };
  });
}

const nextEfforts: ReadonlyMap<unknown, string> = new Map([
  ["none", "low"],
  ["minimal", "low"],
  ["xhigh", "high"],
  ["max", "high"],
]);

/** The next of the usual efforts; null for one of them. */
export const usualEffort = (effort: unknown): string | null => nextEfforts.get(effort) ?? null;

/** Beside tools without thinking, which such a model else does unasked. */
function withoutEffort(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  if (body.tools === undefined) return body;
  if ((body.reasoning_effort ?? "none") !== "none") leaveOut("reasoning_effort");
  return { ...body, reasoning_effort: "none" };
}

/** Without the field of a pair of which the upstream takes one, and without an effort that it has not. */
function plainSampling(body: JsonObject, unread: Unread, leaveOut: LeaveOut): JsonObject {
  const isPair = body.temperature !== undefined && unread.has("sampling_pair");
  const names = [isPair ? "top_p" : "", unread.has("thinking_enabled") ? "reasoning_effort" : ""];
  const left = names.filter((name) => body[name] !== undefined);
  const effort = unread.has("effort_word") ? usualEffort(body.reasoning_effort) : null;
  if (effort !== null)
    return plainSampling({ ...body, reasoning_effort: effort }, unread, leaveOut);
  if (left.length === 0) return body;
  for (const name of left) leaveOut(name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.includes(name)));
}

/** `body` has the fields that are passed. It is returned itself when it has nothing of `unread`. */
export function plainerForm(
  body: JsonObject,
  names: readonly Refusable[],
  leaveOut: LeaveOut,
): JsonObject {
  if (names.length === 0) return body;
  const unread = new Set(names);
  let plain = unread.has("json_schema") ? schemaInWords(body, leaveOut) : body;
  if (unread.has("json_object")) plain = anyObject(plain, unread, leaveOut);
  if (unread.has("named_choice")) plain = withNamedAlone(plain);
  if (unread.has("tool_choice")) plain = withoutChoice(plain, leaveOut);
  if (Array.isArray(plain.messages)) {
    const given = unread.has("tool_images") ? withImagesAfter(plain.messages) : plain.messages;
    const messages = given.map((each) => plainMessage(each, unread, leaveOut));
    const ordered = unread.has("system_later") ? systemFirst(messages) : messages;
    const spoken = unread.has("system") ? systemAsUser(ordered) : ordered;
    plain = { ...plain, messages: unread.has("turns") ? inTurns(spoken) : spoken };
  }
  plain = plainSampling(plain, unread, leaveOut);
  if (unread.has("effort_with_tools")) plain = withoutEffort(plain, leaveOut);
  if (plain.tools !== undefined && unread.has("strict"))
    plain = { ...plain, tools: withoutStrict(plain.tools) };
  const ofCalls = unread.has("calls_without_tools") ? toolsOfCalls(plain) : [];
  if (ofCalls.length > 0) plain = { ...plain, tools: ofCalls };
  if (plain.tools !== undefined && unread.has("tool_schema"))
    plain = withPlainSchemas(plain, leaveOut);
  for (const name of readFields) {
    if (!unread.has(name) || plain[name] === undefined) continue;
    const { [name]: _, ...rest } = plain;
    leaveOut(name);
    plain = rest;
  }
  return plain;
}
