/**
 * Which fields of a chat request are passed upstream. The others are removed, and their names are
 * returned to the client.
 */
import type { ChatRequest } from "../../contract/chat";
import {
  fileFields,
  functionFields,
  imageUrlFields,
  messageFields,
  neverPassingChatFields,
  ownChatFields,
  partFields,
  passingChatFields,
  soundFields,
  streamOptionFields,
  toolFields,
} from "../../contract/chat-fields";
import { labels, shortLabel } from "../../dialects/labels";
import { withoutRepeats } from "../../dialects/tool-names";
import type { JsonObject } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { IgnoredFields } from "../order/ignored-fields";
import { mapped, onlyKnown } from "./known-members";
import { withPairedCalls } from "./paired-messages";
import { usualChoice, usualFormat, usualMessage, usualTool, withoutEmptyTurns } from "./usual-form";

export interface PassedFields {
  /**
   * The fields that are passed, without the output cap and the stream fields, which the relay
   * writes itself.
   */
  readonly body: JsonObject;
  readonly streamOptions: JsonObject | null;
  readonly ignored: IgnoredFields;
  /**
   * True when a field is passed that only this channel allows: the output cap may not bound its
   * cost.
   */
  readonly usesAllowed: boolean;
}

type Message = ChatRequest["messages"][number];
type Part = Exclude<Message["content"], string | null | undefined>[number];

function cleanPart(part: Part, ignored: IgnoredFields): Part {
  const place = "messages.content";
  const own = onlyKnown(part, partFields[part.type], place, ignored);
  if (own.type === "text") return own;
  if (own.type === "file") {
    const file = onlyKnown(own.file, fileFields, `${place}.file`, ignored);
    return file === own.file ? own : { ...own, file };
  }
  if (own.type === "input_audio") {
    const sound = onlyKnown(own.input_audio, soundFields, `${place}.input_audio`, ignored);
    return { ...own, input_audio: sound };
  }
  const image = onlyKnown(own.image_url, imageUrlFields, `${place}.image_url`, ignored);
  return image === own.image_url ? own : { ...own, image_url: image };
}

function cleanMessage(message: Message, ignored: IgnoredFields): Message {
  const own = usualMessage(onlyKnown(message, messageFields, "messages", ignored));
  if (!Array.isArray(own.content)) return own;
  const content = mapped(own.content, (part) => cleanPart(part, ignored));
  return content === own.content ? own : { ...own, content };
}

const calledName = ({ function: called }: JsonObject): unknown =>
  isRecord(called) ? called.name : undefined;

/** Functions, and tools that run at the upstream and are billed, where the model offers them. */
function cleanTools(
  tools: unknown,
  isHosted: (type: unknown) => boolean,
  ignored: IgnoredFields,
): readonly unknown[] {
  if (!Array.isArray(tools)) {
    ignored.add("tools");
    return [];
  }
  const functions = mapped(tools, usualTool).filter((tool): tool is JsonObject => {
    const isPassed = isRecord(tool) && (tool.type === "function" || isHosted(tool.type));
    if (!isPassed)
      ignored.add(isRecord(tool) && typeof tool.type === "string" ? `tools.${tool.type}` : "tools");
    return isPassed;
  });
  const once = withoutRepeats(functions, calledName);
  if (once !== functions) ignored.add("tools");
  return mapped(once, (tool) => {
    if (tool.type !== "function") return tool;
    const own = onlyKnown(tool, toolFields, "tools", ignored);
    if (!isRecord(own.function)) return own;
    const definition = onlyKnown(own.function, functionFields, "tools.function", ignored);
    return definition === own.function ? own : { ...own, function: definition };
  });
}

function choosesFunctions(choice: unknown): boolean {
  if (!isRecord(choice)) return true;
  if (choice.type !== "allowed_tools") return choice.type === "function";
  const allowed = isRecord(choice.allowed_tools) ? choice.allowed_tools.tools : null;
  return (
    Array.isArray(allowed) && allowed.every((tool) => isRecord(tool) && tool.type === "function")
  );
}

function clean(
  name: string,
  value: unknown,
  isHosted: (type: unknown) => boolean,
  ignored: IgnoredFields,
): unknown {
  if (name === "messages")
    return withPairedCalls(
      withoutEmptyTurns(mapped(value as Message[], (message) => cleanMessage(message, ignored))),
    );
  if (name === "response_format") return usualFormat(value);
  if (labels.has(name)) return shortLabel(value);
  if (name === "tools") {
    const tools = cleanTools(value, isHosted, ignored);
    return tools.length > 0 ? tools : undefined;
  }
  if (name !== "tool_choice") return value;
  const choice = usualChoice(value);
  if (choosesFunctions(choice)) return choice;
  ignored.add(name);
  return undefined;
}

/** What passes besides the usual fields: those that the channel allows, and those whose cost is held. */
interface Passing {
  readonly allowed: readonly string[];
  readonly asked: readonly string[];
  /** Whether a tool of this type runs at the upstream. */
  isHosted(type: unknown): boolean;
}

export function passingFields(
  request: ChatRequest,
  { allowed, asked, isHosted }: Passing,
): PassedFields {
  const ignored = new IgnoredFields();
  const body: JsonObject = {};
  let usesAllowed = false;
  for (const name in request) {
    const value = request[name];
    // Upstreams refuse lists of nothing, such as `stop` or `functions`.
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    if (Object.hasOwn(passingChatFields, name)) {
      const passes = clean(name, value, isHosted, ignored);
      if (passes !== undefined) body[name] = passes;
    } else if (asked.includes(name)) body[name] = value;
    else if (ownChatFields.has(name)) continue;
    else if (allowed.includes(name) && !neverPassingChatFields.has(name)) {
      body[name] = value;
      usesAllowed = true;
    } else ignored.add(name);
  }
  // Upstreams refuse `tool_choice` and its like in a request without tools.
  if (body.tools === undefined) {
    if (body.tool_choice !== undefined) body.tool_choice = undefined;
    if (body.parallel_tool_calls !== undefined) body.parallel_tool_calls = undefined;
  }
  const options = request.stream ? request.stream_options : null;
  const streamOptions = options
    ? onlyKnown(options, streamOptionFields, "stream_options", ignored)
    : null;
  return { body, streamOptions, ignored, usesAllowed };
}
