/** What a plain and a streamed answer of the Messages API have in common: ids, reasons, usage. */
import { finishOf, stopReasonByFinish } from "../../contract/finish-reasons";
import type { MessagesRequest, MessagesResponse } from "../../contract/messages";
import { isRecord } from "../../values/records";
import { isCarried } from "../carried";
import type { AnswerContext, JsonObject } from "../text-dialect";
import { usageFigures } from "../usage-figures";

export type Context = AnswerContext<MessagesRequest>;
type Usage = MessagesResponse["usage"];

/** Signs the thinking of a model whose own API has no signatures. */
export const OWN_SIGNATURE = "relay";

/** Whether thinking comes from here: no upstream of this API has signed it. */
export const isOwnSignature = (signature: unknown): boolean =>
  signature === OWN_SIGNATURE || isCarried(signature);
const TOOL_ID_LENGTH_MAX = 200;

interface Ending {
  readonly finishReason: unknown;
  readonly hasRefusal: boolean;
  /** The sequence that ended the answer; null when none did, or when the upstream does not say. */
  readonly stopSequence: string | null;
}

export function stopReasonOf({
  finishReason,
  hasRefusal,
  stopSequence,
}: Ending): MessagesResponse["stop_reason"] {
  const reason = stopReasonByFinish[finishOf(finishReason)];
  if (reason !== "end_turn") return reason;
  if (hasRefusal) return "refusal";
  return stopSequence === null ? reason : "stop_sequence";
}

/** The request's stop sequence that the upstream names as the one that ended the answer. */
export function stopSequenceOf({ stop_reason: said }: JsonObject, { request }: Context) {
  return typeof said === "string" && request.stop_sequences?.includes(said) ? said : null;
}

const hostedCalls = (report: unknown) =>
  isRecord(report) && isRecord(report.server_tool_use)
    ? { server_tool_use: report.server_tool_use }
    : {};

export function usageOf(report: unknown): Usage {
  const figures = usageFigures(report);
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = figures ?? {};
  const written = figures?.cacheWrittenTokens ?? 0;
  const thinking = figures?.reasoningTokens ?? null;
  const points = figures?.points ?? null;
  return {
    input_tokens: inputTokens - cachedTokens - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    ...(thinking === null ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
    ...hostedCalls(report),
    ...(points === null ? {} : { points }),
  };
}

/** The usage at the beginning of a stream, about: the upstream counts at the end. */
export const usageBefore = ({ inputTokensEstimate = 0 }: Context): Usage => ({
  ...usageOf(null),
  input_tokens: inputTokensEstimate,
});

/** The id of a call: the upstream's, or one of ours where it sent none that can be used. */
export const toolIdOf = (id: string | null, { operationHex }: Context, at: number): string =>
  id !== null && id.length <= TOOL_ID_LENGTH_MAX ? id : `toolu_${operationHex}_${at}`;

/** The members that an answer has from its beginning. */
export const envelopeOf = ({ operationHex, model }: Context) =>
  ({ id: `msg_${operationHex}`, type: "message", role: "assistant", model }) as const;
