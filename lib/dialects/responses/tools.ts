/**
 * Tools in canonical form. Chat knows functions only: a custom tool becomes a function with one
 * string argument, and a namespace's tools get its name in front. Calls are written back as they
 * were offered.
 */
import type { OwnTool, ResponsesRequest, SimpleTool, ToolChoice } from "../../contract/responses";
import { jsonIn } from "../../values/json-in";
import { isRecord } from "../../values/records";
import type { JsonObject } from "../text-dialect";
import { withoutRepeats } from "../tool-names";

export interface OfferedTool {
  /** `search`: for tools, by the client, which has the call in a form of its own. */
  readonly kind: "function" | "custom" | "search";
  readonly name: string;
  readonly namespace: string | null;
}

const BETWEEN = "__";
/** The kind and the name of a search for tools. */
export const TOOL_SEARCH = "tool_search";

export const upstreamName = (name: string, namespace: string | null | undefined): string =>
  namespace ? namespace + BETWEEN + name : name;

/** The arguments of the function that stands for a custom tool. */
export const customArguments = (input: string): string => JSON.stringify({ input });

/** The input of a custom tool. What is no such function's arguments is the input itself. */
export function customInput(text: string): string {
  const read = jsonIn(text);
  return isRecord(read) && typeof read.input === "string" ? read.input : text;
}

function formatText({ format }: Extract<SimpleTool, { type: "custom" }>): string {
  if (!format?.definition) return "The input of the tool, as plain text.";
  return `The input of the tool, which must match this grammar (${format.syntax ?? "text"}):\n${format.definition}`;
}

export function functionOf(tool: SimpleTool, name: string): JsonObject {
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

/** A search that the client itself runs is a function like others. */
function searchOf(tool: Tool): SimpleTool[] {
  if (isOwn(tool) || tool.type !== TOOL_SEARCH || tool.execution !== "client") return [];
  const { description, parameters } = tool;
  return [
    {
      type: "function",
      name: TOOL_SEARCH,
      description: typeof description === "string" ? description : null,
      parameters: isRecord(parameters) ? parameters : null,
    },
  ];
}

interface Offer {
  readonly tool: SimpleTool;
  readonly kind: OfferedTool["kind"];
  readonly namespace: string | null;
}

function offersOf(tool: Tool): Offer[] {
  if (!isOwn(tool))
    return searchOf(tool).map((one) => ({ tool: one, kind: "search", namespace: null }));
  if (tool.type !== "namespace") return [{ tool, kind: tool.type, namespace: null }];
  return tool.tools.map((inner) => ({ tool: inner, kind: inner.type, namespace: tool.name }));
}

/** The lists of tools: the request's own, and those within its conversation. */
function listsOf({ tools, input }: ResponsesRequest): (readonly Tool[])[] {
  const items = typeof input === "string" ? [] : input;
  const within = items.flatMap((item) =>
    item.type === "additional_tools" || item.type === "tool_search_output" ? [item.tools] : [],
  );
  return [tools ?? [], ...within];
}

const nameOf = ({ tool, namespace }: Offer): string => upstreamName(tool.name, namespace);

/** Of two that would have the same name upstream, the first. */
const offersIn = (tools: readonly Tool[]): Offer[] =>
  withoutRepeats(tools.flatMap(offersOf), nameOf);

/** The offered tools by the name that they have upstream. */
export function offeredTools(request: ResponsesRequest): Map<string, OfferedTool> {
  return new Map(
    listsOf(request)
      .flatMap(offersIn)
      .map((offer) => {
        const { tool, kind, namespace } = offer;
        return [nameOf(offer), { kind, name: tool.name, namespace }];
      }),
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

const functionsOf = (request: ResponsesRequest): JsonObject[] => [
  ...new Map(
    listsOf(request)
      .flatMap(offersIn)
      .map((offer) => [nameOf(offer), functionOf(offer.tool, nameOf(offer))]),
  ).values(),
];

export function chatTools(request: ResponsesRequest): ChatTools {
  const ignored = new Set<string>();
  for (const list of listsOf(request)) {
    if (offersIn(list).length < list.flatMap(offersOf).length) ignored.add("tools");
    for (const tool of list)
      if (!isOwn(tool) && searchOf(tool).length === 0) ignored.add(`tools.${tool.type}`);
  }
  const tools = functionsOf(request);
  const { tool_choice: choice } = request;
  if (choice === undefined || choice === null || tools.length === 0)
    return { tools, toolChoice: undefined, ignored: [...ignored] };
  const toolChoice = chatChoice(choice);
  if (toolChoice === undefined) ignored.add("tool_choice");
  return { tools, toolChoice, ignored: [...ignored] };
}
