import { failureOf } from "../failure";
import type { ChatEnd, ChatResult, JsonObject, UpstreamFailure } from "../provider";
import type { FlowDeadlines } from "./answer-flow";
import { CollectedBody } from "./collected-body";
import { errorIn, failureOfErrorMember } from "./error-member";
import { type AnswerReader, Exchange } from "./exchange";
import { failureOfRefusal } from "./status-failure";
import { parseUpstreamObject } from "./upstream-json";

/** Far more than the cap of any model lets it write. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** What a protocol reads in a body; null for one that is no answer. */
export type ReadBody = (
  body: JsonObject,
) => { readonly body: JsonObject; readonly end: ChatEnd } | null;

/** An answer in one body that is kept until it is complete. */
export class ObjectCall implements AnswerReader {
  readonly exchange: Exchange;
  readonly #body = new CollectedBody(BODY_BYTES_MAX);
  #firstByteMs = 0;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly resolve: (result: ChatResult) => void,
    readonly read: ReadBody,
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
    const body = parseUpstreamObject(this.#body.text());
    const answer = body === null ? null : this.read(body);
    const error = body === null || answer !== null ? null : errorIn(body);
    if (error !== null) this.exchange.fail(failureOfErrorMember(error));
    else if (answer === null) this.exchange.fail(badAnswer("no answer of this protocol"));
    else {
      this.exchange.finish();
      this.resolve({ isOk: true, ...answer, firstByteMs: this.#firstByteMs });
    }
  }
}
