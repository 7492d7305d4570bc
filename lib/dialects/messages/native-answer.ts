/** An answer of an upstream that speaks the same API: as it came, under our id, model and usage. */
import { finishWith, stopReasonByFinish } from "../../contract/finish-reasons";
import { isRecord } from "../../values/records";
import type { JsonObject } from "../text-dialect";
import { messagesName } from "../tool-names";
import { type Context, envelopeOf, usageOf } from "./answer-words";
import { beginningOf } from "./native-open-block";
import { isCustom } from "./to-chat";

/** The upstream ran its tools for long, or was asked for nothing but a summary. */
const isOwnReason = (reason: unknown) => reason === "pause_turn" || reason === "compaction";

/** A reason that this API does not have here is the nearest one. */
export function endOf(
  { stop_reason: reason, stop_sequence: sequence, container }: JsonObject,
  calls: Parameters<typeof finishWith>[0],
): JsonObject {
  const finish = finishWith(calls, reason);
  return {
    stop_reason:
      (finish === "stop" && reason === "stop_sequence") || isOwnReason(reason)
        ? reason
        : stopReasonByFinish[finish],
    stop_sequence: typeof sequence === "string" ? sequence : null,
    stop_details: null,
    container: isRecord(container) ? container : null,
  };
}

/** Finds the client's name of a tool, by the name that the upstream was told. */
export function ownNames({ request }: Context): (name: string) => string {
  const known = new Map<string, string>();
  for (const tool of request.tools ?? []) {
    const told = isCustom(tool) ? messagesName(tool.name) : "";
    if (isCustom(tool) && told !== tool.name) known.set(told, tool.name);
  }
  return (name) => known.get(name) ?? name;
}

/** `message.usage` is the report as chat has it, with the charge. */
export function nativeAnswer(message: JsonObject, context: Context): JsonObject {
  const given: unknown[] = Array.isArray(message.content) ? message.content : [];
  const ownName = ownNames(context);
  const content = given
    .map((block, at) => beginningOf(block, () => `toolu_${context.operationHex}_${at}`, ownName))
    .filter((block) => block !== null);
  const countOf = (blocks: readonly JsonObject[]) =>
    blocks.filter(({ type }) => type === "tool_use").length;
  const count = countOf(content);
  return {
    ...envelopeOf(context),
    content,
    ...endOf(message, { count, isBroken: count < countOf(given.filter(isRecord)) }),
    usage: usageOf(message.usage),
  };
}
