/**
 * Tools and calls as other APIs write them, in the form of chat completions: some clients send the form
 * of one API to another, and upstreams refuse it or do not see the tools.
 */
import type { JsonObject } from "../../upstream/provider";
import { isRecord } from "../../values/records";

const words: readonly unknown[] = ["auto", "none", "required"];
const kinds: readonly unknown[] = ["function", "custom", undefined, null];

/** A function without `function` around it: the Responses API's, or with `input_schema` the Messages API's. */
export function usualTool(tool: unknown): unknown {
  if (!isRecord(tool) || isRecord(tool.function) || isRecord(tool.custom)) return tool;
  const { type, name, description, parameters, input_schema: schema, strict, ...others } = tool;
  const isFunction = type === "function" || isRecord(parameters) || isRecord(schema);
  if (typeof name !== "string" || !kinds.includes(type) || !isFunction) return tool;
  const given = Object.entries({ name, description, parameters: parameters ?? schema, strict });
  const definition = given.filter(([, value]) => value !== undefined);
  return { ...others, type: "function", function: Object.fromEntries(definition) };
}

export function usualChoice(choice: unknown): unknown {
  if (!isRecord(choice) || isRecord(choice.function)) return choice;
  const { type, name } = choice;
  if (type === "any") return "required";
  if (words.includes(type)) return type;
  return (type === "function" || type === "tool") && typeof name === "string"
    ? { type: "function", function: { name } }
    : choice;
}

const isText = (call: unknown): boolean =>
  !isRecord(call) || !isRecord(call.function) || !isRecord(call.function.arguments);

function withText(call: unknown): unknown {
  if (isText(call) || !isRecord(call) || !isRecord(call.function)) return call;
  const { arguments: given, ...called } = call.function;
  return { ...call, function: { ...called, arguments: JSON.stringify(given) } };
}

/** A message without an empty list of calls, and with the arguments of each as text. */
export function usualMessage<Message extends JsonObject>(message: Message): Message {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  if (calls.length > 0)
    return calls.every(isText) ? message : { ...message, tool_calls: calls.map(withText) };
  return { ...message, tool_calls: undefined };
}
