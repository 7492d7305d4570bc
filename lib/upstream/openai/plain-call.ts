import { StringDecoder } from "node:string_decoder";
import { isFinish } from "../../contract/finish-reasons";
import { failureOf } from "../failure";
import type {
  ChatEnd,
  ChatResult,
  JsonObject,
  KeptChoice,
  LargeAnswer,
  LargeAnswerListener,
  StreamControl,
  UpstreamFailure,
} from "../provider";
import { AnswerFlow, type FlowDeadlines, type FlowListener } from "../transport/answer-flow";
import { referenceOf } from "../transport/answer-members";
import { CollectedBody } from "../transport/collected-body";
import { errorIn, failureOfErrorMember } from "../transport/error-member";
import { type AnswerReader, Exchange } from "../transport/exchange";
import { failureOfRefusal } from "../transport/status-failure";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { AnswerScanner, restOfChoice } from "./answer-scanner";
import { readUsage, usageOf } from "./usage";

/**
 * A longer answer is not parsed here: other requests share the event loop, and reading and writing one
 * takes 10 to 15 ms a MiB.
 */
const WHOLE_BYTES_MAX = 512 * 1024;
/** An answer that has no choices within this many characters is refused. */
const BEGINNING_CHARACTERS_MAX = 4 * 1024 * 1024;

const notCompletion = () =>
  failureOf("upstream_bad_response", "not a completion", { mayHaveCost: true });

/** True when a message or a delta contains text or a tool call. */
export function carriesContent(message: JsonObject | null): boolean {
  if (!message) return false;
  for (const name of [
    "content",
    "tool_calls",
    "function_call",
    "reasoning_content",
    "reasoning",
    "refusal",
    "audio",
  ]) {
    const value = message[name];
    if (
      value !== undefined &&
      value !== null &&
      value !== "" &&
      !(Array.isArray(value) && value.length === 0)
    )
      return true;
  }
  return false;
}

/** An answer that was blocked before its first word has an end, and no message: it gets an empty one. */
function hasMessage(value: unknown): boolean {
  const choice = asObject(value);
  if (choice !== null && (choice.message ?? null) === null && isFinish(choice.finish_reason))
    choice.message = { role: "assistant", content: null };
  return asObject(choice?.message) !== null;
}

/** A part of a large answer: text, its choice, or text of those after it. */
type Part = string | KeptChoice | { readonly others: string };

function tell(listener: LargeAnswerListener, part: Part): void {
  if (typeof part === "string") listener.onText(part);
  else if ("others" in part) listener.onOthers?.(part.others);
  else listener.onText(listener.mendedChoice?.(part) ?? restOfChoice(part));
}

/**
 * A completion in one body: parsed as a whole when it is small, forwarded in pieces when it is
 * large.
 */
export class PlainCall implements AnswerReader, FlowListener, LargeAnswer {
  readonly exchange: Exchange;
  readonly #flow: AnswerFlow;
  readonly #body = new CollectedBody(WHOLE_BYTES_MAX);
  #firstByteMs = 0;
  #scanner: AnswerScanner | null = null;
  readonly #decoder = new StringDecoder("utf8");
  /** What arrived before there was a reader, and the length of its text. */
  #waiting: Part[] = [];
  #waitingLength = 0;
  #listener: LargeAnswerListener | null = null;
  #ended: Parameters<LargeAnswerListener["onEnd"]> | null = null;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly resolve: (result: ChatResult) => void,
  ) {
    this.exchange = new Exchange(this, deadlines, onClosed);
    this.#flow = new AnswerFlow(this.exchange, deadlines.detachedMs, this);
  }

  onBegin(): void {
    this.exchange.timer.progress();
    this.#firstByteMs = this.exchange.timer.elapsedMs(performance.now());
  }

  onBytes(chunk: Buffer): void {
    this.exchange.timer.begin();
    this.exchange.timer.progress();
    if (this.#scanner !== null) this.#scan(this.#scanner, chunk);
    else if (!this.#body.push(chunk)) this.#becomeLarge(chunk);
  }

  #becomeLarge(chunk: Buffer): void {
    const pass = (part: Part) => this.#pass(part);
    this.#scanner = new AnswerScanner(pass, pass, (others) => pass({ others }));
    this.#scan(this.#scanner, this.#body.bytes());
    if (!this.exchange.isOver) this.#scan(this.#scanner, chunk);
  }

  #scan(scanner: AnswerScanner, bytes: Buffer): void {
    const isJson = scanner.push(this.#decoder.write(bytes));
    const { isShown } = this.#flow;
    if (!isJson) this.#flow.stop(notCompletion());
    else if (!isShown && scanner.hasChoices) this.#show();
    else if (!isShown && this.#waitingLength > BEGINNING_CHARACTERS_MAX)
      this.exchange.fail(notCompletion());
    if (!this.exchange.isOver) this.#flow.count(bytes.length);
  }

  /** The answer is a completion: hands it to the caller, who may read it now. */
  #show(): void {
    const error = this.#errorMember();
    if (error !== null) {
      this.exchange.fail(failureOfErrorMember(error));
      return;
    }
    this.#flow.show();
    this.#flow.pause();
    this.resolve({ isOk: true, large: this, firstByteMs: this.#firstByteMs });
  }

  #pass(part: Part): void {
    if (this.#flow.cutFailure !== null) return;
    if (this.#listener !== null) tell(this.#listener, part);
    else {
      this.#waiting.push(part);
      if (typeof part === "string") this.#waitingLength += part.length;
      else if ("others" in part) this.#waitingLength += part.others.length;
    }
  }

  read(listener: LargeAnswerListener): StreamControl {
    this.#listener = listener;
    for (const part of this.#waiting) tell(listener, part);
    this.#waiting = [];
    if (this.#flow.cutFailure !== null) listener.onCut(this.#flow.cutFailure);
    if (this.#ended !== null) listener.onEnd(...this.#ended);
    this.#flow.resume();
    return this.#flow;
  }

  onStall(): void {
    this.#listener?.onStall();
  }

  onCut(failure: UpstreamFailure): void {
    this.#listener?.onCut(failure);
  }

  #endLarge(end: ChatEnd, failure: UpstreamFailure | null): void {
    if (this.#listener === null) this.#ended = [end, failure];
    else this.#listener.onEnd(end, failure);
  }

  #kept(name: string): unknown {
    const text = this.#scanner?.kept.get(name);
    if (text === undefined) return null;
    try {
      // A text that is too long for a usage report is absurd, not missing.
      return text === null ? "too long" : JSON.parse(text);
    } catch {
      return "not JSON";
    }
  }

  #errorMember(): unknown {
    const error = this.#kept("error");
    return error ? error : null;
  }

  #largeEnd(): ChatEnd {
    const { usage, fault } = readUsage(
      this.#kept("usage") ?? asObject(this.#kept("x_groq"))?.usage ?? null,
      { service_tier: this.#kept("service_tier") },
    );
    return {
      usage,
      usageFault: fault,
      hasContent: true,
      upstreamRef: referenceOf({ id: this.#kept("id") }),
    };
  }

  onRefusal(status: number, body: string, waitSeconds: number | undefined): void {
    this.onFailure(failureOfRefusal({ status, body, waitSeconds }));
  }

  onBreak(failure: UpstreamFailure): void {
    this.onFailure(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    if (this.#flow.isShown) this.#endLarge(this.#largeEnd(), this.#flow.cutFailure ?? failure);
    else this.resolve({ isOk: false, failure });
  }

  check(now: number): void {
    this.#flow.check(now);
  }

  stop(failure: UpstreamFailure): void {
    this.#flow.stop(failure);
  }

  #completeLarge({ isWhole, hasChoices }: AnswerScanner): void {
    const error = this.#errorMember();
    if (error !== null) this.exchange.fail(failureOfErrorMember(error));
    else if (!hasChoices) this.exchange.fail(notCompletion());
    else if (!isWhole)
      this.exchange.fail(
        failureOf("upstream_failed", "the answer ended early", { mayHaveCost: true }),
      );
    else {
      this.exchange.finish();
      this.#endLarge(this.#largeEnd(), this.#flow.cutFailure);
    }
  }

  onComplete(): void {
    if (this.#scanner !== null) {
      this.#completeLarge(this.#scanner);
      return;
    }
    const body = parseUpstreamObject(this.#body.text());
    const error = body === null ? null : errorIn(body);
    if (error !== null) {
      this.exchange.fail(failureOfErrorMember(error));
      return;
    }
    const choices = body?.choices;
    if (!body || !Array.isArray(choices) || choices.length === 0 || !choices.every(hasMessage)) {
      this.exchange.fail(notCompletion());
      return;
    }
    this.exchange.finish();
    const { usage, fault } = readUsage(usageOf(body), body);
    const hasContent = choices.some((choice) =>
      carriesContent(asObject(asObject(choice)?.message)),
    );
    const end = { usage, usageFault: fault, hasContent, upstreamRef: referenceOf(body) };
    this.resolve({ isOk: true, body, end, firstByteMs: this.#firstByteMs });
  }
}
