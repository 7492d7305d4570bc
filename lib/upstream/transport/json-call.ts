import type { InlineImages } from "../../json/inline-images";
import { failureOf } from "../failure";
import type { JsonObject, UpstreamFailure } from "../provider";
import { type BodyReader, CollectedBody } from "./collected-body";
import type { CallDeadlines } from "./deadlines";
import { type AnswerReader, Exchange } from "./exchange";
import { errorNamesOf, failureOfMediaStatus } from "./media-failure";
import { failureOfRefusal } from "./status-failure";
import { parseUpstreamObject } from "./upstream-json";

export interface JsonRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Relative to the channel's base URL, such as `/images/generations`. */
  readonly path: string;
  readonly body?: JsonObject;
  /** The bytes of the inline images that addresses in the body represent. */
  readonly inlineImages?: InlineImages | undefined;
  /** Sent for the upstream's logs. The upstream may recognize a repeated order by it. */
  readonly reference?: string;
  readonly deadlineMs: number;
  readonly answerBytesMax: number;
  /** Reads the answer's bytes; absent for a short answer, which is kept as it comes. */
  readonly bodyReader?: BodyReader;
}

export type JsonAnswer =
  /** `body` is null when the answer was empty. */
  | { readonly isOk: true; readonly body: JsonObject | null }
  /**
   * `status` is 0 when no HTTP answer came. `errorCode` and `errorType` are the upstream's, or "".
   */
  | {
      readonly isOk: false;
      readonly status: number;
      readonly errorCode: string;
      readonly errorType: string;
      readonly failure: UpstreamFailure;
    };

/** Reads one answer that is a JSON object. */
export class JsonCall implements AnswerReader {
  readonly exchange: Exchange;
  readonly #body: BodyReader;
  #answerBytes = 0;

  constructor(
    readonly request: JsonRequest,
    deadlines: CallDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly resolve: (answer: JsonAnswer) => void,
  ) {
    this.exchange = new Exchange(this, deadlines, onClosed);
    this.#body = request.bodyReader ?? new CollectedBody(request.answerBytesMax);
  }

  onBegin(): void {
    this.exchange.timer.begin();
    this.exchange.timer.progress();
  }

  onBytes(chunk: Buffer): void {
    this.exchange.timer.progress();
    this.#answerBytes += chunk.length;
    if (this.#answerBytes <= this.request.answerBytesMax && this.#body.push(chunk)) return;
    this.exchange.fail(failureOf("upstream_bad_response", "body too large", { mayHaveCost: true }));
  }

  onComplete(): void {
    const text = this.#body.text();
    const body = parseUpstreamObject(text);
    if (body === null && text.trim() !== "") {
      this.exchange.fail(
        failureOf("upstream_bad_response", "not a JSON object", { mayHaveCost: true }),
      );
      return;
    }
    this.exchange.finish();
    this.resolve({ isOk: true, body });
  }

  onRefusal(status: number, body: string, waitSeconds: number | undefined): void {
    const failure = failureOfRefusal({ status, body, waitSeconds }, failureOfMediaStatus);
    this.#end(failure, errorNamesOf(body));
  }

  onBreak(failure: UpstreamFailure): void {
    this.#end(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    this.#end(failure);
  }

  #end(failure: UpstreamFailure, names = { errorCode: "", errorType: "" }): void {
    // Only an order makes the upstream do work.
    const own = this.request.method === "POST" ? failure : { ...failure, mayHaveCost: false };
    const { status } = this.exchange;
    this.resolve({ isOk: false, status, ...names, failure: own });
  }

  check(now: number): void {
    const failure = this.exchange.overdue(now);
    if (failure !== null) this.exchange.fail(failure);
  }

  stop(failure: UpstreamFailure): void {
    this.exchange.fail(failure);
  }
}
