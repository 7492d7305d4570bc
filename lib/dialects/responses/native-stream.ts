/** The events of an upstream that speaks the same API, with our own response in the first and the last. */
import { responseEndings } from "../../contract/response-events";
import type { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import { choiceOf } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import { failedError } from "./failure";
import { nativeItemId } from "./item-ids";
import { nativeAnswer } from "./native-answer";
import { OUTPUT_ITEMS_MAX } from "./response-events";
import { type Progress, type ResponsesContext, responseObject } from "./response-object";

export class NativeEvents implements DialectStream {
  #sequence = 0;
  #hasBegun = false;
  #response: JsonObject = {};
  #ending = "response.completed";
  /** The ids of the items, by their places. */
  readonly #ids = new Map<number, string>();

  constructor(readonly context: ResponsesContext) {}

  #event(type: string, members: JsonObject): DialectEvent {
    return { ...members, type, sequence_number: this.#sequence++ };
  }

  #own(type: string, progress: Progress): DialectEvent {
    return this.#event(type, { response: responseObject(this.context, progress, [], null) });
  }

  #begin(): DialectEvent[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return ["response.created", "response.in_progress"].map((type) =>
      this.#own(type, { status: "in_progress" }),
    );
  }

  /** The only choice is an event. */
  chunk(chunk: JsonObject): readonly DialectEvent[] {
    const events = this.#begin();
    const { type, ...members } = choiceOf(chunk) ?? {};
    if (typeof type !== "string" || !type.startsWith("response.")) return events;
    if (!responseEndings.includes(type))
      return [...events, this.#event(type, this.#withIds(members))];
    this.#ending = type;
    if (isRecord(members.response)) this.#response = members.response;
    return events;
  }

  #withIds({ item, item_id, ...members }: JsonObject): JsonObject {
    const { output_index: at } = members;
    if (typeof at !== "number") return members;
    if (isRecord(item) && !this.#ids.has(at) && this.#ids.size < OUTPUT_ITEMS_MAX)
      this.#ids.set(at, nativeItemId(item.type, this.context.operationHex, at));
    const id = this.#ids.get(at) ?? "";
    return {
      ...members,
      ...(isRecord(item) && { item: { ...item, id } }),
      ...(item_id !== undefined && { item_id: id }),
    };
  }

  end({ usage }: StreamEnd): readonly DialectEvent[] {
    const response = nativeAnswer({ ...this.#response, usage }, this.context);
    return [...this.#begin(), this.#event(this.#ending, { response })];
  }

  fail(error: RelayError): readonly DialectEvent[] {
    const failed = { status: "failed", error: failedError(error) } as const;
    return [...this.#begin(), this.#own("response.failed", failed)];
  }
}
