/** Collects an answer that is too large to parse at once, up to a limit, and parses it as a whole. */
import { jsonIn } from "../../values/json-in";
import { isRecord } from "../../values/records";
import type { ChatEnd, JsonObject, LargeAnswerListener, UpstreamFailure } from "../provider";

const CHARACTERS_MAX = 16 * 1024 * 1024;

function parsed(members: string): JsonObject | null {
  const body = jsonIn(`{"id":""${members}}`);
  return isRecord(body) ? body : null;
}

export class LargeBody implements LargeAnswerListener {
  #parts: string[] = [];
  #length = 0;

  constructor(
    /** Called once. `body` is null when it was cut, too long or not readable. */
    readonly onBody: (
      body: JsonObject | null,
      end: ChatEnd,
      failure: UpstreamFailure | null,
    ) => void,
  ) {}

  onText(text: string): void {
    this.#length += text.length;
    if (this.#length > CHARACTERS_MAX) this.#parts = [];
    else this.#parts.push(text);
  }

  onStall(): void {}
  onCut(): void {}

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    const isWhole = failure === null && this.#length <= CHARACTERS_MAX;
    this.onBody(isWhole ? parsed(this.#parts.join("")) : null, end, failure);
  }
}
