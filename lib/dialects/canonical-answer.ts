/** A whole chat answer as every client reads it, whatever an upstream sends. */
import { finishWith, isFinish } from "../contract/finish-reasons";
import { isRecord } from "../values/records";
import { choiceOf, mendTexts } from "./chat-parts";
import { wholeObject } from "./object-text";
import type { JsonObject } from "./text-dialect";
import { argumentsOf, calledOf, joinedCalls, ToolCalls } from "./tool-calls";
import { chatName } from "./tool-names";

/** What is needed to read an answer to a request. */
export interface CanonicalContext {
  /** 32 hexadecimal digits of the operation. */
  readonly operationHex: string;
  /** The tools that the request offers: the client's own name of each by the name that upstreams know. */
  readonly offered: ReadonlyMap<string, string>;
  /** How many answers were asked for. */
  readonly answers: number;
  /** The request has the older form of tools: so has its answer, which is left as it is. */
  readonly isOlder: boolean;
}

const namesOf = (tools: unknown): string[] => {
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  return list.flatMap((tool) => {
    const { name } = isRecord(tool) ? calledOf(tool, tool.function) : {};
    return typeof name === "string" ? [name] : [];
  });
};

export const canonicalContext = (request: object, operationId: string): CanonicalContext => ({
  operationHex: operationId.replaceAll("-", ""),
  offered: new Map(
    "tools" in request ? namesOf(request.tools).map((name) => [chatName(name), name]) : [],
  ),
  answers: "n" in request && typeof request.n === "number" ? request.n : 1,
  isOlder: "functions" in request && namesOf(request.functions).length > 0,
});

/** Each answer of several has calls with ids of its own. */
export const contextOfAnswer = (context: CanonicalContext, at: number): CanonicalContext =>
  at === 0 ? context : { ...context, operationHex: `${context.operationHex}_${at}` };

/** Puts the calls of one answer together. */
export const callsOf = ({ operationHex, offered }: CanonicalContext): ToolCalls =>
  new ToolCalls((index) => `call_${operationHex}_${index}`, offered);

/** The calls of a message, each whole: the pieces in which they are told, put together. */
function wholeCalls(calls: ToolCalls, given: readonly unknown[]): JsonObject[] {
  const ids = new Set<unknown>();
  const pieces = given.flatMap((call, index) => {
    if (!isRecord(call)) return [];
    // Each is a call of its own, whatever its index and its id.
    const id = ids.has(call.id) ? null : call.id;
    ids.add(id);
    const called = calledOf(call, call.function);
    const text = wholeObject(argumentsOf(called.arguments));
    return calls.take({ ...call, index, id, function: { ...called, arguments: text } });
  });
  return joinedCalls([...pieces, ...calls.end()]);
}

/** Changes the messages of an answer: of its only choice, or of as many as were asked for. */
export function canonicalAnswer(answer: JsonObject, context: CanonicalContext): void {
  const first = choiceOf(answer);
  if (first === null || !isRecord(first.message)) return;
  const given: unknown[] = Array.isArray(answer.choices) ? answer.choices : [];
  const choices = given.slice(0, context.answers).filter(isRecord);
  for (const [at, choice] of choices.entries())
    mendChoice(choice, contextOfAnswer(context, at), at);
  answer.object = "chat.completion";
  answer.choices = choices;
}

function mendChoice(choice: JsonObject, context: CanonicalContext, at: number): void {
  const message = isRecord(choice.message) ? choice.message : {};
  const calls = callsOf(context);
  const word = isFinish(choice.finish_reason) ? choice.finish_reason : null;
  message.role = "assistant";
  message.content ??= null;
  mendTexts(message);
  if (!context.isOlder) {
    const { tool_calls: given, function_call: older, ...said } = message;
    const single = isRecord(older) ? [{ function: older }] : [];
    const told = wholeCalls(calls, Array.isArray(given) ? given : [given, ...single]);
    choice.message = told.length === 0 ? said : { ...said, tool_calls: told };
  }
  const isOlder = context.isOlder && word === "function_call";
  choice.finish_reason = isOlder ? word : finishWith(calls, word);
  choice.index = at;
}
