/**
 * Tools and calls as other APIs write them, in the form of chat completions: some clients send the form
 * of one API to another, and upstreams refuse it or do not see the tools. Names are those that upstreams
 * take; an answer has the client's own again.
 */
import { hasSome } from "../../dialects/chat-parts";
import { wholeObject } from "../../dialects/object-text";
import { isOwnCall } from "../../dialects/own-call";
import { argumentsOf } from "../../dialects/tool-calls";
import { chatName, withCalledName, withName } from "../../dialects/tool-names";
import { objectSchema } from "../../dialects/tool-schema";
import type { JsonObject } from "../../upstream/provider";
import { jsonIn } from "../../values/json-in";
import { isRecord } from "../../values/records";

const words: readonly unknown[] = ["auto", "none", "required"];
const kinds: readonly unknown[] = ["function", "custom", undefined, null];

/** A function without `function` around it: the Responses API's, or with `input_schema` the Messages API's. */
export const usualTool = (tool: unknown): unknown => withCalledName(withObject(asFunction(tool)));

/** With a schema whose top is one object. */
function withObject(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool.function)) return tool;
  const { parameters } = tool.function;
  const usual = isRecord(parameters) ? objectSchema(parameters) : parameters;
  return usual === parameters
    ? tool
    : { ...tool, function: { ...tool.function, parameters: usual } };
}

function asFunction(tool: unknown): unknown {
  if (!isRecord(tool) || isRecord(tool.function) || isRecord(tool.custom)) return tool;
  const { type, name, description, parameters, input_schema: schema, strict, ...others } = tool;
  const isFunction = type === "function" || isRecord(parameters) || isRecord(schema);
  if (typeof name !== "string" || !kinds.includes(type) || !isFunction) return tool;
  const given = Object.entries({ name, description, parameters: parameters ?? schema, strict });
  const definition = given.filter(([, value]) => value !== undefined);
  return { ...others, type: "function", function: Object.fromEntries(definition) };
}

export function usualChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return choice === "any" ? "required" : choice;
  if (isRecord(choice.function)) return withCalledName(choice);
  const { type, name, allowed_tools: allowed } = choice;
  if (isRecord(allowed) && Array.isArray(allowed.tools))
    return { ...choice, allowed_tools: { ...allowed, tools: allowed.tools.map(withCalledName) } };
  if (type === "any") return "required";
  if (words.includes(type)) return type;
  return (type === "function" || type === "tool") && typeof name === "string"
    ? { type: "function", function: { name: chatName(name) } }
    : choice;
}

/** Calls that were read before: a request is written for each model and channel that is asked. */
const read = new WeakMap<object, unknown>();

function usualCall(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const known = read.get(given) ?? readCall(given);
  read.set(given, known);
  return known;
}

/**
 * A call with its arguments as the text of an object. Upstreams refuse any other text, and all further
 * turns with it: that of a call that was cut, and of one without arguments.
 */
function readCall(given: JsonObject): unknown {
  const call = withCalledName(given);
  if (!isRecord(call) || !isRecord(call.function) || isOwnCall(given)) return call;
  const text = argumentsOf(call.function.arguments);
  const usual = isRecord(jsonIn(text)) ? text : wholeObject(text);
  return usual === call.function.arguments
    ? call
    : { ...call, function: { ...call.function, arguments: usual } };
}

/** The name of a person, of which OpenAI takes no spaces and none of these signs. */
const PERSON_LENGTH_MAX = 64;
const personName = (name: string): string =>
  name.replace(/[\s<|\\/>]/g, "_").slice(0, PERSON_LENGTH_MAX);

function usualName<Message extends JsonObject>(message: Message): Message {
  const { role, name } = message;
  // The older form of a tool's result names what was called in that form.
  if (typeof name !== "string" || role === "function") return message;
  const usual = role === "tool" ? chatName(name) : personName(name);
  return usual === name ? message : { ...message, name: usual };
}

const isNothing = (content: unknown): boolean =>
  content === undefined || content === null || (Array.isArray(content) && content.length === 0);

const isEmptyText = (content: unknown): boolean =>
  content === "" || (isRecord(content) && content.type === "text" && content.text === "");

/** Without parts of no text, which some upstreams refuse, where there are others. */
function withoutEmptyParts<Message extends JsonObject>(message: Message): Message {
  const { content } = message;
  if (!Array.isArray(content) || !content.some(isEmptyText)) return message;
  const parts = content.filter((part) => !isEmptyText(part));
  return parts.length === 0 ? message : { ...message, content: parts };
}

/** A tool that gave nothing gave an empty text, and beside calls there is no text. */
function usualContent<Message extends JsonObject>(message: Message): Message {
  const { role, content } = message;
  if (!isNothing(content)) return withoutEmptyParts(message);
  if (role === "tool" || role === "function") return { ...message, content: "" };
  return Array.isArray(content) ? { ...message, content: null } : message;
}

/** A turn of the model that was ended before it said anything: many upstreams refuse it. */
function isEmptyTurn({ role, content, name: _, ...others }: JsonObject): boolean {
  if (role !== "assistant" || hasSome(others)) return false;
  const parts: unknown[] = Array.isArray(content) ? content : [content ?? ""];
  return parts.every(isEmptyText);
}

/** Where all are empty, they are kept. */
export function withoutEmptyTurns<Message extends JsonObject>(messages: Message[]): Message[] {
  if (!messages.some(isEmptyTurn)) return messages;
  const said = messages.filter((message) => !isEmptyTurn(message));
  return said.length === 0 ? messages : said;
}

/** A message without an empty list of calls. */
export function usualMessage<Message extends JsonObject>(given: Message): Message {
  const message = usualContent(given.name === undefined ? given : usualName(given));
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  if (calls.length === 0) return { ...message, tool_calls: undefined };
  const usual = calls.map(usualCall);
  return usual.every((call, at) => call === calls[at])
    ? message
    : { ...message, tool_calls: usual };
}

/** The format and what it says of its schema, without members that are absent, and with a usual name. */
export function usualFormat(format: unknown): unknown {
  if (!isRecord(format)) return format;
  const given = Object.entries(format).filter(([, of]) => of !== null);
  return withName(
    Object.fromEntries(
      given.map(([name, of]) => [name, name === "json_schema" ? usualFormat(of) : of]),
    ),
  );
}
