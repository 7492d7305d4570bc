import { failureOf } from "../failure";
import type { ChatResult, UpstreamFailure } from "../provider";
import type { FlowDeadlines } from "../transport/answer-flow";
import { referenceOf } from "../transport/answer-members";
import { CollectedBody } from "../transport/collected-body";
import { errorIn, failureOfErrorMember } from "../transport/error-member";
import { type AnswerReader, Exchange } from "../transport/exchange";
import { failureOfRefusal } from "../transport/status-failure";
import { parseUpstreamObject } from "../transport/upstream-json";
import { objectsOf } from "./json-reading";
import { toChatAnswer } from "./to-chat";
import { readUsage } from "./usage";

/** Far more than the cap of any model lets it write. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** An answer in one body. */
export class PlainCall implements AnswerReader {
  readonly exchange: Exchange;
  readonly #body = new CollectedBody(BODY_BYTES_MAX);
  #firstByteMs = 0;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly resolve: (result: ChatResult) => void,
    readonly isNative: boolean,
  ) {
    this.exchange = new Exchange(this, deadlines, onClosed);
  }

  onBegin(): void {
    this.exchange.timer.progress();
    this.#firstByteMs = this.exchange.timer.elapsedMs(performance.now());
  }

  onBytes(chunk: Buffer): void {
    this.exchange.timer.begin();
    this.exchange.timer.progress();
    if (!this.#body.push(chunk)) this.exchange.fail(badAnswer("body too large"));
  }

  onRefusal(status: number, body: string, waitSeconds: number | undefined): void {
    this.onFailure(failureOfRefusal({ status, body, waitSeconds }));
  }

  onBreak(failure: UpstreamFailure): void {
    this.onFailure(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    this.resolve({ isOk: false, failure });
  }

  check(now: number): void {
    const failure = this.exchange.overdue(now);
    if (failure !== null) this.exchange.fail(failure);
  }

  stop(failure: UpstreamFailure): void {
    this.exchange.fail(failure);
  }

  onComplete(): void {
    const message = parseUpstreamObject(this.#body.text());
    const error = message === null || Array.isArray(message.content) ? null : errorIn(message);
    if (error !== null) {
      this.exchange.fail(failureOfErrorMember(error));
      return;
    }
    if (message === null || !Array.isArray(message.content)) {
      this.exchange.fail(badAnswer("not a message"));
      return;
    }
    this.exchange.finish();
    const { usage, fault } = readUsage(message.usage);
    this.resolve({
      isOk: true,
      body: this.isNative ? message : toChatAnswer(message),
      end: {
        usage,
        usageFault: fault,
        hasContent: objectsOf(message.content).length > 0,
        upstreamRef: referenceOf(message),
      },
      firstByteMs: this.#firstByteMs,
    });
  }
}
