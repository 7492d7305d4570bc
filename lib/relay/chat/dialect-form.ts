/** The form of a dialect: its translation, over the same operation as chat completions. */
import { choiceOf } from "../../dialects/chat-parts";
import type {
  AnswerContext,
  DialectEvent,
  DialectStream,
  TextDialect,
} from "../../dialects/text-dialect";
import { RelayError } from "../../failures/relay-error";
import { type Micropoints, pointsNumber } from "../../money/points";
import type { ChatEnd, JsonObject, LargeAnswer } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { chatAnswerOf } from "./chat-form";
import { CollectedAnswer } from "./collected-answer";
import type { AnswerWriter, StreamWriter, TextForm } from "./text-form";
import type { TextOperation } from "./text-operation";

const UNTRANSLATED =
  "The answer ends early: a part of it could not be translated. What it used is charged.";

function eventsText(events: readonly DialectEvent[]): string {
  let text = "";
  for (const event of events) text += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return text;
}

/**
 * Called with a complete answer before the last of it is sent, to store it. It may set members of
 * the answer. It rejects only for an answer that nobody waits for.
 */
export type KeepAnswer = (answer: JsonObject) => Promise<void>;

class DialectStreamWriter implements StreamWriter {
  #finishReason: string | null = null;
  /** True once a chunk could not be translated. The rest is read for its usage only. */
  #isBroken = false;

  constructor(
    readonly stream: DialectStream,
    readonly operation: TextOperation,
    readonly keep: KeepAnswer | null,
  ) {}

  chunk(chunk: JsonObject): string {
    if (this.#isBroken) return "";
    const reason = choiceOf(chunk)?.finish_reason;
    if (typeof reason === "string") this.#finishReason = reason;
    try {
      return eventsText(this.stream.chunk(chunk));
    } catch (error) {
      this.#isBroken = true;
      const { deps, id } = this.operation;
      deps.log.error({ operationId: id, err: error }, "a chunk could not be translated");
      return this.fail(new RelayError("internal_error", { message: UNTRANSLATED }));
    }
  }

  end({ usage }: ChatEnd, amount: Micropoints): string | Promise<string> {
    if (this.#isBroken) return "";
    const charged = usage && { ...usage.reported, points: pointsNumber(amount) };
    const events = this.stream.end({ usage: charged, finishReason: this.#finishReason });
    const answer = events.at(-1)?.response;
    return this.keep !== null && isRecord(answer)
      ? this.keep(answer).then(() => eventsText(events))
      : eventsText(events);
  }

  fail(error: RelayError): string {
    return eventsText(this.stream.fail(error));
  }
}

export const answerContext = <Request>(
  operation: TextOperation,
  request: Request,
): AnswerContext<Request> => ({
  request,
  get model() {
    return operation.request.model;
  },
  // Of its first model.
  operationHex: operation.id.replaceAll("-", ""),
  requestId: operation.call.requestId,
  createdSeconds: Math.floor(Date.now() / 1000),
  inputTokensEstimate: operation.inputTokensEstimate,
});

class DialectWriter<Request> implements AnswerWriter {
  readonly #context: AnswerContext<Request>;

  constructor(
    readonly dialect: TextDialect<Request>,
    readonly operation: TextOperation,
    request: Request,
    readonly keep: KeepAnswer | null,
  ) {
    this.#context = answerContext(operation, request);
  }

  get keepAlive(): string {
    return this.dialect.keepAlive;
  }

  get keepsRequest(): boolean {
    return this.keep !== null;
  }

  get #answers(): Pick<TextDialect<Request>, "toAnswer" | "openStream"> {
    return (this.operation.isNative ? this.dialect.native : null) ?? this.dialect;
  }

  whole(body: JsonObject, end: ChatEnd): string | Promise<string> {
    const chatAnswer = chatAnswerOf(this.operation, body, end);
    const answer = this.#answers.toAnswer(chatAnswer, this.#context);
    return this.keep === null
      ? JSON.stringify(answer)
      : this.keep(answer).then(() => JSON.stringify(answer));
  }

  large(answer: LargeAnswer, onEnded: () => void) {
    const write = (body: JsonObject, end: ChatEnd) => this.whole(body, end);
    return new CollectedAnswer(this.operation, answer, write, onEnded).answer;
  }

  stream(): StreamWriter {
    const stream = this.#answers.openStream(this.#context);
    return new DialectStreamWriter(stream, this.operation, this.keep);
  }

  refusedStream(error: RelayError): string | null {
    return this.dialect.streamedRefusals?.includes(error.code) ? this.stream().fail(error) : null;
  }
}

export const dialectWriter = <Request>(
  dialect: TextDialect<Request>,
  operation: TextOperation,
  request: Request,
  keep: KeepAnswer | null,
): AnswerWriter => new DialectWriter(dialect, operation, request, keep);

export const dialectForm = <Request>(dialect: TextDialect<Request>): TextForm<Request> => ({
  dialect: dialect.name,
  prepare: (request, _, header) => dialect.withHeaders?.(request, header) ?? request,
  toChat: (request) => dialect.toChat(request),
  openWriter: (operation, request) => dialectWriter(dialect, operation, request, null),
});
