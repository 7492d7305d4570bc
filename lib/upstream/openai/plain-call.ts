import { StringDecoder } from "node:string_decoder";
import type { ChatEnd, ChatResult, JsonObject, LargeAnswer, LargeAnswerListener, StreamControl, UpstreamFailure } from "../provider";
import { referenceOf } from "../transport/answer-members";
import { failureOf } from "../transport/failure";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { AnswerScanner } from "./answer-scanner";
import { failureOfErrorMember } from "./error-member";
import { LongCall, type LongDeadlines } from "./long-call";
import type { UpstreamCall } from "./upstream-call";
import { readUsage, usageOf } from "./usage";

/** What is longer is not parsed at once: other requests share the loop. */
const WHOLE_BYTES_MAX = 512 * 1024;
/** An answer that has not come to its choices by then is none. */
const BEGINNING_CHARACTERS_MAX = 4 * 1024 * 1024;

const notCompletion = () => failureOf("upstream_bad_response", "not a completion", { mayHaveCost: true });

/** True when a message or a delta says something or calls a tool. */
export function carriesContent(message: JsonObject | null): boolean {
  if (!message) return false;
  for (const name of ["content", "tool_calls", "function_call", "reasoning_content", "reasoning", "refusal"]) {
    const value = message[name];
    if (value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)) return true;
  }
  return false;
}

/** A completion in one body: parsed whole while it is small, passed on in pieces when it is not. */
export class PlainCall extends LongCall implements LargeAnswer {
  #firstByteMs = 0;
  #scanner: AnswerScanner | null = null;
  readonly #decoder = new StringDecoder("utf8");
  /** What came before there was a reader. */
  #waiting = "";
  #listener: LargeAnswerListener | null = null;
  #ended: Parameters<LargeAnswerListener["onEnd"]> | null = null;

  constructor(
    deadlines: LongDeadlines,
    onClosed: (call: UpstreamCall) => void,
    readonly resolve: (result: ChatResult) => void,
  ) {
    super(deadlines, onClosed);
  }

  protected onBegin(): void {
    this.lastProgressAt = performance.now();
    this.#firstByteMs = this.lastProgressAt - this.startedAt;
  }

  protected onBytes(chunk: Buffer): void {
    this.hasBegun = true;
    this.lastProgressAt = performance.now();
    if (this.#scanner !== null) this.#scan(this.#scanner, chunk);
    else if (!this.collect(chunk, WHOLE_BYTES_MAX)) this.#becomeLarge(chunk);
  }

  #becomeLarge(chunk: Buffer): void {
    this.#scanner = new AnswerScanner((text) => this.#pass(text));
    this.#scan(this.#scanner, this.collectedBytes());
    if (!this.isOver) this.#scan(this.#scanner, chunk);
  }

  #scan(scanner: AnswerScanner, bytes: Buffer): void {
    const isJson = scanner.push(this.#decoder.write(bytes));
    if (!isJson) this.stop(notCompletion());
    else if (!this.isShown && scanner.hasChoices) this.#show();
    else if (!this.isShown && this.#waiting.length > BEGINNING_CHARACTERS_MAX) this.fail(notCompletion());
    if (!this.isOver) this.count(bytes.length);
  }

  /** It is a completion, and whoever asked may read it. */
  #show(): void {
    const error = this.#errorMember();
    if (error !== null) {
      this.fail(failureOfErrorMember(error));
      return;
    }
    this.isShown = true;
    this.pause();
    this.resolve({ isOk: true, large: this, firstByteMs: this.#firstByteMs });
  }

  #pass(text: string): void {
    if (this.cutFailure !== null) return;
    if (this.#listener === null) this.#waiting += text;
    else this.#listener.onText(text);
  }

  read(listener: LargeAnswerListener): StreamControl {
    this.#listener = listener;
    if (this.#waiting !== "") listener.onText(this.#waiting);
    this.#waiting = "";
    if (this.cutFailure !== null) listener.onCut(this.cutFailure);
    if (this.#ended !== null) listener.onEnd(...this.#ended);
    this.resume();
    return this;
  }

  protected onStall(): void {
    this.#listener?.onStall();
  }

  protected onCut(failure: UpstreamFailure): void {
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
      // What is too long to be usage is absurd, not missing.
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
    const { usage, fault } = readUsage(this.#kept("usage") ?? asObject(this.#kept("x_groq"))?.usage ?? null);
    return { usage, usageFault: fault, hasContent: true, upstreamRef: referenceOf({ id: this.#kept("id") }) };
  }

  protected onFailure(failure: UpstreamFailure): void {
    if (this.isShown) this.#endLarge(this.#largeEnd(), this.cutFailure ?? failure);
    else this.resolve({ isOk: false, failure });
  }

  #completeLarge({ isWhole, hasChoices }: AnswerScanner): void {
    const error = this.#errorMember();
    if (error !== null) this.fail(failureOfErrorMember(error));
    else if (!hasChoices) this.fail(notCompletion());
    else if (!isWhole) this.fail(failureOf("upstream_failed", "the answer ended early", { mayHaveCost: true }));
    else {
      this.finish();
      this.#endLarge(this.#largeEnd(), this.cutFailure);
    }
  }

  protected onClean(): void {
    if (this.#scanner !== null) {
      this.#completeLarge(this.#scanner);
      return;
    }
    const body = parseUpstreamObject(this.collected());
    if (body?.error) {
      this.fail(failureOfErrorMember(body.error));
      return;
    }
    const choices = body?.choices;
    if (!body || !Array.isArray(choices) || choices.length === 0 || !choices.every((choice) => asObject(asObject(choice)?.message))) {
      this.fail(notCompletion());
      return;
    }
    this.finish();
    const { usage, fault } = readUsage(usageOf(body));
    const hasContent = choices.some((choice) => carriesContent(asObject(asObject(choice)?.message)));
    const end = { usage, usageFault: fault, hasContent, upstreamRef: referenceOf(body) };
    this.resolve({ isOk: true, body, end, firstByteMs: this.#firstByteMs });
  }
}
