/** A plain answer made of the events of a stream, for an upstream that streams unasked. */
import { joinedCalls, ToolCalls } from "../../dialects/tool-calls";
import { isRecord } from "../../values/records";
import { failureOf } from "../failure";
import type {
  ChatEnd,
  ChatResult,
  ChatStreamListener,
  JsonObject,
  UpstreamFailure,
} from "../provider";
import { asObject } from "./upstream-json";

/** More than the cap of any model lets it write. */
const TEXT_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Texts that are whole wherever they are said. */
const words: ReadonlySet<string> = new Set(["role", "type", "id", "format", "finish_reason"]);

/** Texts go on, lists grow, and anything else is as it was said last. */
function add(into: JsonObject, piece: JsonObject): void {
  for (const [name, value] of Object.entries(piece)) {
    const known = into[name];
    if (typeof known === "string" && typeof value === "string" && !words.has(name))
      into[name] = known + value;
    else if (Array.isArray(known) && Array.isArray(value)) into[name] = [...known, ...value];
    else if (isRecord(known) && isRecord(value)) add(known, value);
    else if (value !== null || known === undefined) into[name] = value;
  }
}

/** One choice of the answer. */
class WholeChoice {
  readonly #message: JsonObject = { role: "assistant", content: null };
  readonly #choice: JsonObject = {};
  /** Its calls get their ids, where the upstream sent none, when the answer is told. */
  readonly #calls = new ToolCalls(() => "", new Map());
  readonly #pieces: JsonObject[] = [];

  take({ delta, ...choice }: JsonObject): void {
    const { tool_calls: calls, ...said } = asObject(delta) ?? {};
    if (calls) this.#pieces.push(...this.#calls.take(calls));
    add(this.#message, said);
    add(this.#choice, choice);
  }

  whole(index: number): JsonObject {
    const calls = joinedCalls([...this.#pieces, ...this.#calls.end()]);
    const message = calls.length === 0 ? this.#message : { ...this.#message, tool_calls: calls };
    return { ...this.#choice, index, message };
  }
}

/** Reads a stream to its end and answers once. */
export class WholeAnswer implements ChatStreamListener {
  readonly #head: JsonObject = {};
  readonly #choices = new Map<number, WholeChoice>();
  readonly #events: JsonObject[] = [];
  #length = 0;

  constructor(
    readonly firstByteMs: number,
    readonly resolve: (result: ChatResult) => void,
    /** Ends the call, whose answer becomes too long. */
    readonly fail: (failure: UpstreamFailure) => void,
    /** Where the choices of chunks are the events of another API: makes an answer of them. */
    readonly bodyOfEvents: ((events: readonly JsonObject[]) => JsonObject) | null,
  ) {}

  onChunk(chunk: JsonObject): void {
    const { choices, usage: _, object: _object, ...head } = chunk;
    this.#length += JSON.stringify(choices).length;
    if (this.#length > TEXT_CHARACTERS_MAX) {
      this.fail(tooLong);
      return;
    }
    if (!Array.isArray(choices)) return;
    const items = choices.map((item: unknown) => asObject(item) ?? {});
    if (this.bodyOfEvents !== null) {
      this.#events.push(...items);
      return;
    }
    Object.assign(this.#head, head);
    for (const choice of items) {
      const index = typeof choice.index === "number" ? choice.index : 0;
      const own = this.#choices.get(index) ?? new WholeChoice();
      this.#choices.set(index, own);
      own.take(choice);
    }
  }

  onBatchEnd(): void {}
  onStall(): void {}
  onCut(): void {}

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    const { firstByteMs } = this;
    if (failure !== null) this.resolve({ isOk: false, failure });
    else this.resolve({ isOk: true, body: this.#body(), end, firstByteMs });
  }

  #body(): JsonObject {
    if (this.bodyOfEvents !== null) return this.bodyOfEvents(this.#events);
    const choices = [...this.#choices.values()].map((choice, index) => choice.whole(index));
    return { ...this.#head, choices };
  }
}

const tooLong = failureOf("upstream_bad_response", "events of an answer too long", {
  mayHaveCost: true,
});
