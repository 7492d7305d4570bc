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
  isOlder: "functions" in request,
});

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

/** Changes the message of an answer's only choice. */
export function canonicalAnswer(answer: JsonObject, context: CanonicalContext): void {
  const choice = choiceOf(answer);
  if (choice === null || !isRecord(choice.message)) return;
  const { message } = choice;
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
  choice.index = 0;
  answer.object = "chat.completion";
  answer.choices = [choice];
}
