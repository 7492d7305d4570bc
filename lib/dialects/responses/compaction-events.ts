/** The events of a compaction: its only item is known when the summary is whole. */
import type { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import { answerParts, choiceOf } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import { ANSWER_CHARACTERS_MAX, ResponseEvents } from "./response-events";
import type { ResponsesContext } from "./response-object";
import { toAnswer } from "./to-answer";

export class CompactionEvents implements DialectStream {
  #text = "";
  #count = 0;

  constructor(readonly context: ResponsesContext) {}

  #event(type: string, members: JsonObject): DialectEvent {
    return { type, sequence_number: this.#count++, ...members };
  }

  chunk(canonicalChunk: JsonObject): readonly DialectEvent[] {
    const choice = choiceOf(canonicalChunk);
    const { text } = answerParts(choice?.delta);
    this.#text = (this.#text + text).slice(0, ANSWER_CHARACTERS_MAX);
    return [];
  }

  end({ usage, finishReason }: StreamEnd): readonly DialectEvent[] {
    const choice = { message: { content: this.#text }, finish_reason: finishReason };
    const response = toAnswer({ choices: [choice], usage }, this.context);
    const items = Array.isArray(response.output) ? response.output.filter(isRecord) : [];
    const begun = { response: { ...response, status: "in_progress", output: [], usage: null } };
    return [
      this.#event("response.created", begun),
      ...items.flatMap((item, at) =>
        ["added", "done"].map((word) =>
          this.#event(`response.output_item.${word}`, { output_index: at, item }),
        ),
      ),
      this.#event(`response.${response.status}`, { response }),
    ];
  }

  fail(error: RelayError): readonly DialectEvent[] {
    return new ResponseEvents(this.context).fail(error);
  }
}
