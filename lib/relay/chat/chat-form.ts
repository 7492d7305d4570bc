/** The family's own form, chat completions: the upstream's answer, with our id and model. */
import type { ChatRequest } from "../../contract/chat";
import type { AnswerOf } from "../../contract/endpoint";
import type { Endpoints } from "../../contract/endpoints";
import { canonicalAnswer, canonicalContext } from "../../dialects/canonical-answer";
import { KEEP_ALIVE } from "../../dialects/text-dialect";
import type { RelayError } from "../../failures/relay-error";
import { failureText } from "../../http/failure-answer";
import { type Micropoints, pointsNumber } from "../../money/points";
import type { ChatEnd, ChunkSamples, JsonObject, LargeAnswer } from "../../upstream/provider";
import { answerLarge } from "./large-answer";
import { mendedChoice } from "./mended-choice";
import type { AnswerWriter, StreamWriter, TextForm } from "./text-form";
import type { TextOperation } from "./text-operation";

const DONE = "data: [DONE]\n\n";
const nothingLeftOut: readonly string[] = [];

/**
 * The upstream's completion under our id and model, with the cost in its usage, in the same form as
 * in a stream.
 */
export function chatAnswerOf(
  operation: TextOperation,
  body: JsonObject,
  end: ChatEnd,
): AnswerOf<Endpoints["createChatCompletion"]> {
  if (!operation.isNative) canonicalAnswer(body, canonicalContext(operation.request, operation.id));
  body.id = operation.answerId;
  body.model = operation.request.model;
  if (end.usage !== null)
    body.usage = { ...end.usage.reported, points: pointsNumber(operation.amountOf(end) ?? 0n) };
  // The adapter has checked the choices. Parsing the whole schema is left to tests: it would cost
  // every answer.
  return body as AnswerOf<Endpoints["createChatCompletion"]>;
}

export class ChatStreamWriter implements StreamWriter {
  readonly #isUsageAsked: boolean;
  #created = 0;

  constructor(readonly operation: Pick<TextOperation, "answerId" | "request">) {
    this.#isUsageAsked = operation.request.stream_options?.include_usage === true;
  }

  chunk(chunk: JsonObject): string {
    const { operation } = this;
    chunk.id = operation.answerId;
    chunk.model = operation.request.model;
    // Our own usage chunk comes last, and only if the client asked for usage.
    if (this.#isUsageAsked) chunk.usage = null;
    else if (chunk.usage !== undefined) chunk.usage = undefined;
    if (typeof chunk.created === "number") this.#created = chunk.created;
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  around(samples: ChunkSamples): { before: string; after: string } | null {
    const [one, other] = [this.chunk(samples[0]), this.chunk(samples[1])];
    let at = 0;
    while (at < one.length && one[at] === other[at]) at++;
    const [before, after] = [one.slice(0, at), one.slice(at + 1)];
    // Nothing else may depend on the string.
    return `${before}b${after}` === other ? { before, after } : null;
  }

  end(end: ChatEnd, amount: Micropoints): string {
    const usage =
      this.#isUsageAsked && end.usage
        ? this.#usageChunk({ ...end.usage.reported, points: pointsNumber(amount) })
        : "";
    return usage + DONE;
  }

  fail(error: RelayError): string {
    return `data: ${failureText(error)}\n\n`;
  }

  #usageChunk(usage: object): string {
    const { answerId, request } = this.operation;
    const created = this.#created || Math.floor(Date.now() / 1000);
    return `data: ${JSON.stringify({ id: answerId, object: "chat.completion.chunk", created, model: request.model, choices: [], usage })}\n\n`;
  }
}

class ChatWriter implements AnswerWriter {
  readonly keepAlive = KEEP_ALIVE;
  readonly keepsRequest = false;

  constructor(readonly operation: TextOperation) {}

  whole(body: JsonObject, end: ChatEnd): string {
    return JSON.stringify(chatAnswerOf(this.operation, body, end));
  }

  large(answer: LargeAnswer, onEnded: () => void) {
    const context = canonicalContext(this.operation.request, this.operation.id);
    return answerLarge(this.operation, answer, (choice) => mendedChoice(choice, context), onEnded);
  }

  stream(): StreamWriter {
    return new ChatStreamWriter(this.operation);
  }
}

export const chatForm: TextForm<ChatRequest> = {
  dialect: null,
  prepare: (request) => request,
  toChat: (body) => ({ body, ignored: nothingLeftOut }),
  openWriter: (operation) => new ChatWriter(operation),
};
