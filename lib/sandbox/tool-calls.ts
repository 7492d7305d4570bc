/**
 * Decides which tools the sandbox calls, and generates arguments that the tool's own schema allows.
 */

import { randomBytes } from "node:crypto";
import { listOf } from "../values/records";
import { type ChatBody, ChatRefusal, type Message, membersOf, messagesOf } from "./chat-body";
import { Budget } from "./json-schema/budget";
import { documentFor } from "./json-schema/document";
import type { ToolResult } from "./reply";
import { textOf } from "./tokens";

const RESULTS_MAX = 8;
const CALLS_MAX = 8;
const PROMPT_CHARACTERS_MAX = 10_000;
const NAME_CHARACTERS_MAX = 64;
/** Only this many of the tools are searched for in the prompt. */
const TOOLS_LOOKED_FOR = 128;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON object as text. */
  readonly arguments: string;
  /** True for the older form `function_call`. */
  readonly isLegacy: boolean;
}

interface Tool {
  readonly name: string;
  readonly parameters: unknown;
  /** The path of its schema in the request. */
  readonly path: string;
}

interface Offer {
  readonly tools: readonly Tool[];
  readonly choice: unknown;
  readonly choiceName: "tool_choice" | "function_call";
  readonly isLegacy: boolean;
}

function toolsOf(
  list: unknown,
  path: string,
  inner: (entry: unknown) => unknown,
  suffix: string,
): readonly Tool[] {
  return listOf(list).flatMap((entry, at) => {
    const { name, parameters } = membersOf(inner(entry));
    return typeof name === "string"
      ? [{ name, parameters, path: `${path}[${at}]${suffix}.parameters` }]
      : [];
  });
}

function offerOf(body: ChatBody): Offer {
  const tools = toolsOf(body.tools, "tools", (entry) => membersOf(entry).function, ".function");
  if (tools.length > 0 || (body.tool_choice ?? null) !== null) {
    return {
      tools,
      choice: body.tool_choice ?? "auto",
      choiceName: "tool_choice",
      isLegacy: false,
    };
  }
  const functions = toolsOf(body.functions, "functions", (entry) => entry, "");
  return {
    tools: functions,
    choice: body.function_call ?? "auto",
    choiceName: "function_call",
    isLegacy: true,
  };
}

/** The tool that a choice names, in either form; null when it is a word such as `auto`. */
function namedBy({ choice, isLegacy }: Offer): unknown {
  if (typeof choice === "string") return null;
  return isLegacy ? membersOf(choice).name : membersOf(membersOf(choice).function).name;
}

/** Verbs and other words that do not show what a tool is for. */
const common = new Set([
  "find",
  "list",
  "make",
  "send",
  "show",
  "create",
  "with",
  "from",
  "what",
  "that",
  "this",
  "your",
  "current",
  "tool",
  "call",
]);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
}

const meaningOf = (name: string): readonly string[] =>
  [...wordsOf(name.slice(0, NAME_CHARACTERS_MAX).replace(/([a-z])([A-Z])/g, "$1 $2"))].filter(
    (word) => word.length > 3 && !common.has(word),
  );

/**
 * The tools that the last message obviously asks for: those whose names it contains, or else the
 * first one that shares a word with it, such as `get_weather` in "What is the weather in Paris?".
 */
function askedFor(tools: readonly Tool[], last: Message | undefined): readonly Tool[] {
  if (last?.role !== "user") return [];
  const prompt = textOf(last.content).slice(0, PROMPT_CHARACTERS_MAX);
  const said = tools.filter(({ name }) => name.length > 2 && prompt.includes(name));
  if (said.length > 0) return said;
  const words = wordsOf(prompt);
  return tools.filter(({ name }) => meaningOf(name).some((word) => words.has(word))).slice(0, 1);
}

function chosen(offer: Offer, body: ChatBody): readonly Tool[] {
  const { tools, choice, choiceName } = offer;
  const asked = askedFor(tools.slice(0, TOOLS_LOOKED_FOR), messagesOf(body).at(-1));
  if (choice === "none") return [];
  if (choice === "auto") return asked;
  if (tools.length === 0)
    throw new ChatRefusal(`\`${choiceName}\` is only allowed together with tools.`, choiceName);
  if (choice === "required") return asked.length > 0 ? asked : tools.slice(0, 1);
  const name = namedBy(offer);
  const tool = tools.find((one) => one.name === name);
  if (!tool)
    throw new ChatRefusal(`\`${choiceName}\` does not name a tool of this request.`, choiceName);
  return [tool];
}

function argumentsFor({ parameters, path }: Tool, budget: Budget): string {
  if (parameters === undefined || parameters === null) return "{}";
  const made = documentFor(parameters, budget);
  if (made === null)
    throw new ChatRefusal(
      "The sandbox cannot generate arguments for this schema.",
      path,
      "invalid_function_parameters",
    );
  return made.startsWith("{") ? made : "{}";
}

/**
 * The tool calls that answer a request; none when it is answered with text. Throws `ChatRefusal`.
 */
export function callsFor(body: ChatBody): readonly ToolCall[] {
  const offer = offerOf(body);
  const budget = new Budget();
  const isParallel = body.parallel_tool_calls !== false && !offer.isLegacy;
  return chosen(offer, body)
    .slice(0, isParallel ? CALLS_MAX : 1)
    .map((tool) => ({
      id: `call_${randomBytes(12).toString("hex")}`,
      name: tool.name,
      arguments: argumentsFor(tool, budget),
      isLegacy: offer.isLegacy,
    }));
}

/** The tool results since the model's last message. */
export function toolResults(body: ChatBody): readonly ToolResult[] {
  const messages = messagesOf(body);
  const start = messages.findLastIndex(({ role }) => role !== "tool" && role !== "function") + 1;
  const calls = listOf(messages[start - 1]?.tool_calls).map(membersOf);
  return messages.slice(start, start + RESULTS_MAX).map(({ name, tool_call_id, content }) => {
    const call = membersOf(calls.find(({ id }) => id === tool_call_id)?.function);
    const known = [name, call.name].find((one) => typeof one === "string");
    return { tool: String(known ?? "").slice(0, NAME_CHARACTERS_MAX), text: textOf(content) };
  });
}
