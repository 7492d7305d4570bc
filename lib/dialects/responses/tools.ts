/**
 * Tools in canonical form. Chat knows functions only: a custom tool becomes a function with one
 * string argument, and a namespace's tools get its name in front. Calls are written back as they
 * were offered.
 */
import type { OwnTool, ResponsesRequest, SimpleTool, ToolChoice } from "../../contract/responses";
import { invalidValue } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import type { JsonObject } from "../text-dialect";

/** A tool as the client offered it. */
export interface OfferedTool {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly namespace: string | null;
}

const BETWEEN = "__";

/** The name that a tool has upstream. */
export const upstreamName = (name: string, namespace: string | null | undefined): string =>
  namespace ? namespace + BETWEEN + name : name;

/** The arguments of the function that stands for a custom tool. */
export const customArguments = (input: string): string => JSON.stringify({ input });

/** The input of a custom tool. What is no such function's arguments is the input itself. */
export function customInput(text: string): string {
  try {
    const read: unknown = JSON.parse(text);
    if (isRecord(read) && typeof read.input === "string") return read.input;
  } catch {}
  return text;
}

function formatText({ format }: Extract<SimpleTool, { type: "custom" }>): string {
  if (!format?.definition) return "The input of the tool, as plain text.";
  return `The input of the tool, which must match this grammar (${format.syntax ?? "text"}):\n${format.definition}`;
}

function functionOf(tool: SimpleTool, name: string): JsonObject {
  const made: JsonObject = { name };
  if (typeof tool.description === "string") made.description = tool.description;
  if (tool.type === "custom") {
    made.parameters = {
      type: "object",
      properties: { input: { type: "string", description: formatText(tool) } },
      required: ["input"],
      additionalProperties: false,
    };
    return { type: "function", function: made };
  }
  if (isRecord(tool.parameters)) made.parameters = tool.parameters;
  if (typeof tool.strict === "boolean") made.strict = tool.strict;
  return { type: "function", function: made };
}

type Tool = NonNullable<ResponsesRequest["tools"]>[number];

export const isOwn = (tool: Tool): tool is OwnTool =>
  tool.type === "function" || tool.type === "custom" || tool.type === "namespace";

interface Offer {
  readonly tool: SimpleTool;
  readonly namespace: string | null;
  /** The path of the tool in the request. */
  readonly path: string;
}

function offersOf(request: ResponsesRequest): Offer[] {
  return (request.tools ?? []).flatMap((tool, index): Offer[] => {
    const path = `tools[${index}]`;
    if (!isOwn(tool)) return [];
    if (tool.type !== "namespace") return [{ tool, namespace: null, path }];
    return tool.tools.map((inner, at) => ({
      tool: inner,
      namespace: tool.name,
      path: `${path}.tools[${at}]`,
    }));
  });
}

/** The offered tools by the name that they have upstream. */
export function offeredTools(request: ResponsesRequest): Map<string, OfferedTool> {
  return new Map(
    offersOf(request).map(({ tool, namespace }) => [
      upstreamName(tool.name, namespace),
      { kind: tool.type, name: tool.name, namespace },
    ]),
  );
}

export interface ChatTools {
  /** Empty when the request has no tool that can be used here. */
  readonly tools: readonly JsonObject[];
  /** Undefined when there is none, or none that can be met here. */
  readonly toolChoice: unknown;
  readonly ignored: readonly string[];
}

const chosen = (name: string): JsonObject => ({ type: "function", function: { name } });

const isCallable = (type: string | null | undefined): boolean =>
  type === "function" || type === "custom";

/** Undefined for a choice among tools that cannot run here. */
function chatChoice(choice: ToolChoice): unknown {
  if (typeof choice === "string") return choice;
  if (isCallable(choice.type) && typeof choice.name === "string")
    return chosen(upstreamName(choice.name, choice.namespace));
  if (choice.type !== "allowed_tools") return undefined;
  const tools = (choice.tools ?? []).flatMap(({ type, name, namespace }) =>
    isCallable(type) && typeof name === "string" ? [chosen(upstreamName(name, namespace))] : [],
  );
  if (tools.length === 0) return undefined;
  return { type: "allowed_tools", allowed_tools: { mode: choice.mode ?? "auto", tools } };
}

/** Throws `invalid_value` when two tools would have the same name upstream. */
export function chatTools(request: ResponsesRequest): ChatTools {
  const ignored = new Set<string>();
  for (const tool of request.tools ?? []) if (!isOwn(tool)) ignored.add(`tools.${tool.type}`);
  const names = new Set<string>();
  const tools = offersOf(request).map(({ tool, namespace, path }) => {
    const name = upstreamName(tool.name, namespace);
    if (names.has(name)) {
      throw invalidValue(
        `${path}.name`,
        `\`${path}.name\` is the name of a second tool called ${JSON.stringify(name)}: names must be unique.`,
      );
    }
    names.add(name);
    return functionOf(tool, name);
  });
  const { tool_choice: choice } = request;
  if (choice === undefined || choice === null || tools.length === 0)
    return { tools, toolChoice: undefined, ignored: [...ignored] };
  const toolChoice = chatChoice(choice);
  if (toolChoice === undefined) ignored.add("tool_choice");
  return { tools, toolChoice, ignored: [...ignored] };
}
