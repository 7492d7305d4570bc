/**
 * A plain answer that is too large to parse at once, for a form that cannot forward it in pieces:
 * collected up to a limit, then translated. The charge does not depend on the limit.
 */
import { isRelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { resolvers } from "../../timing/resolvers";
import { failureOf } from "../../upstream/failure";
import type {
  ChatEnd,
  JsonObject,
  LargeAnswer,
  LargeAnswerListener,
  UpstreamFailure,
} from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { releaseAfter } from "../order/hold";
import { customerError, cutError } from "../order/upstream-error";
import { answerWhole } from "./answer-whole";
import { KEPT_CHARACTERS_MAX } from "./large-answer";
import type { TextOperation } from "./text-operation";

const tooLong = failureOf("upstream_bad_response", "an answer too long to translate", {
  mayHaveCost: true,
});

/**
 * Releases the hold of an answer that could not be translated, and throws `upstream_bad_response`.
 */
export async function releaseUntranslated(
  operation: TextOperation,
  { upstreamRef }: ChatEnd,
  error: unknown,
): Promise<never> {
  const failure = failureOf("upstream_bad_response", `not translated: ${error}`, {
    mayHaveCost: true,
  });
  operation.deps.log.error(
    { operationId: operation.id, err: error },
    "an answer could not be translated",
  );
  await releaseAfter(operation, failure, true, upstreamRef);
  throw customerError(failure);
}

export class CollectedAnswer implements LargeAnswerListener {
  readonly #answer = resolvers<Outgoing>();
  #parts: string[] = [];
  #length = 0;
  #isCut = false;

  constructor(
    readonly operation: TextOperation,
    large: LargeAnswer,
    /** The answer in the client's form. */
    readonly write: (body: JsonObject, end: ChatEnd) => string | Promise<string>,
    readonly onEnded: () => void,
  ) {
    large.read(this);
  }

  get answer(): Promise<Outgoing> {
    return this.#answer.promise;
  }

  get #isTooLong(): boolean {
    return this.#length > KEPT_CHARACTERS_MAX;
  }

  onText(text: string): void {
    this.#length += text.length;
    if (this.#isTooLong) this.#parts = [];
    else this.#parts.push(text);
  }

  onStall(): void {}

  onCut(): void {
    this.#isCut = true;
    this.#parts = [];
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    this.#finish(end, failure)
      .finally(this.onEnded)
      .then(this.#answer.resolve, this.#answer.reject);
  }

  async #finish(end: ChatEnd, failure: UpstreamFailure | null): Promise<Outgoing> {
    const { operation } = this;
    try {
      if (failure === null && !this.#isTooLong) return await this.#complete(end);
      if (failure === null || this.#isCut) await operation.endCut(end, failure ?? tooLong);
      else await operation.breakOff(end, failure);
      throw failure === null || this.#isCut ? cutError(failure ?? tooLong) : customerError(failure);
    } catch (error) {
      if (!isRelayError(error))
        operation.deps.log.error(
          { operationId: operation.id, err: error },
          "a large answer could not be settled",
        );
      throw error;
    }
  }

  async #complete(end: ChatEnd): Promise<Outgoing> {
    let text: string;
    try {
      const body: unknown = JSON.parse(`{"id":""${this.#parts.join("")}}`);
      if (!isRecord(body)) throw new TypeError("not an object");
      text = await this.write(body, end);
    } catch (error) {
      return releaseUntranslated(this.operation, end, error);
    }
    return answerWhole(this.operation, text, end);
  }
}
