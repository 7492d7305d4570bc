/** The family's own form, chat completions: the upstream's answer, with our id and model. */
import type { ChatRequest } from "../../contract/chat";
import type { AnswerOf } from "../../contract/endpoint";
import type { Endpoints } from "../../contract/endpoints";
import type { ResponsesRequest } from "../../contract/responses";
import { canonicalAnswer, canonicalContext } from "../../dialects/canonical-answer";
import { choiceOf } from "../../dialects/chat-parts";
import { readChat, ToldInputs, tellInputs } from "../../dialects/responses/in-chat";
import { KEEP_ALIVE } from "../../dialects/text-dialect";
import type { RelayError } from "../../failures/relay-error";
import { failureText } from "../../http/failure-answer";
import { type Micropoints, pointsNumber } from "../../money/points";
import type { ChatEnd, ChunkSamples, JsonObject, LargeAnswer } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { CollectedAnswer } from "./collected-answer";
import { answerLarge } from "./large-answer";
import { mendedChoice } from "./mended-choice";
import type { AnswerWriter, StreamWriter, TextForm } from "./text-form";
import type { TextOperation } from "./text-operation";

const DONE = "data: [DONE]\n\n";

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

const none: ReadonlySet<string> = new Set();

/** Writes the chunks of an answer in which calls of custom tools have the input itself as arguments. */
class InputStreamWriter implements StreamWriter {
  /** Of each of the answers that were asked for. */
  readonly #inputs: ToldInputs[] = [];

  constructor(
    readonly writer: ChatStreamWriter,
    readonly customs: ReadonlySet<string>,
  ) {}

  #inputsOf(answer: number): ToldInputs {
    const inputs = this.#inputs[answer] ?? new ToldInputs(this.customs);
    this.#inputs[answer] = inputs;
    return inputs;
  }

  chunk(chunk: JsonObject): string {
    const choice = choiceOf(chunk) ?? {};
    const delta = isRecord(choice.delta) ? choice.delta : {};
    const isLast = (choice.finish_reason ?? null) !== null;
    const given: unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    const inputs = this.#inputsOf(typeof choice.index === "number" ? choice.index : 0);
    const calls = [...inputs.take(given), ...(isLast ? inputs.end() : [])];
    const { tool_calls: _, ...said } = delta;
    const told = calls.length === 0 ? said : { ...said, tool_calls: calls };
    if (!isLast && Object.keys(told).length === 0) return "";
    return this.writer.chunk({ ...chunk, choices: [{ ...choice, delta: told }] });
  }

  end(end: ChatEnd, amount: Micropoints): string {
    return this.writer.end(end, amount);
  }

  fail(error: RelayError): string {
    return this.writer.fail(error);
  }
}

class ChatWriter implements AnswerWriter {
  readonly keepAlive = KEEP_ALIVE;
  readonly keepsRequest = false;
  readonly #customs: ReadonlySet<string>;

  constructor(readonly operation: TextOperation) {
    this.#customs = operation.asked.customs ?? none;
  }

  whole(body: JsonObject, end: ChatEnd): string {
    const answer = chatAnswerOf(this.operation, body, end);
    if (this.#customs.size > 0) tellInputs(answer, this.#customs);
    return JSON.stringify(answer);
  }

  large(answer: LargeAnswer, onEnded: () => void) {
    if (this.#customs.size > 0) {
      const write = (body: JsonObject, end: ChatEnd) => this.whole(body, end);
      return new CollectedAnswer(this.operation, answer, write, onEnded).answer;
    }
    const context = canonicalContext(this.operation.request, this.operation.id);
    return answerLarge(this.operation, answer, (choice) => mendedChoice(choice, context), onEnded);
  }

  stream(): StreamWriter {
    const writer = new ChatStreamWriter(this.operation);
    return this.#customs.size === 0 ? writer : new InputStreamWriter(writer, this.#customs);
  }
}

export const chatForm: TextForm<ChatRequest | ResponsesRequest> = {
  dialect: null,
  prepare: (request) => request,
  toChat: readChat,
  openWriter: (operation) => new ChatWriter(operation),
};
