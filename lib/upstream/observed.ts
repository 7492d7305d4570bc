/** How an upstream answered one small question. */
import { isRecord } from "../values/records";
import type { ChatEnd, UpstreamFailure } from "./provider";

/** A longer answer to a question with a cap of a few tokens ignores the cap. */
const RUN_ON_CHARACTERS = 480;
const CALLS_MAX = 16;

export interface Observed {
  /** Null when the upstream answered, also when the answer was cut here because it ran on. */
  readonly failure: UpstreamFailure | null;
  /** The text is longer than any cap of a question allows. */
  readonly runsOn: boolean;
  readonly end: ChatEnd;
  /** What was said, as far as it was read. */
  readonly text: string;
  readonly hasCalls: boolean;
  /** The names of the calls, in their order. */
  readonly calls: readonly string[];
  /** True when thinking came beside the text. */
  readonly thinks: boolean;
  readonly finishReason: string | null;
  /** The chunks of a stream; null of a plain answer. */
  readonly chunks: number | null;
  /** Of a plain answer. */
  readonly tookMs: number;
}

const nothing: ChatEnd = {
  usage: null,
  usageFault: null,
  hasContent: false,
  upstreamRef: null,
};

export const unanswered = (failure: UpstreamFailure | null): Observed => ({
  failure,
  runsOn: false,
  end: nothing,
  text: "",
  hasCalls: false,
  calls: [],
  thinks: false,
  finishReason: null,
  chunks: null,
  tookMs: 0,
});

/** What choices say, of a plain answer or of the chunks of a stream. */
export class Said {
  text = "";
  hasCalls = false;
  readonly calls: string[] = [];
  thinks = false;
  finishReason: string | null = null;

  /** Reads the first choice. */
  add(choices: unknown): void {
    const choice: unknown = Array.isArray(choices) ? choices[0] : null;
    if (!isRecord(choice)) return;
    if (typeof choice.finish_reason === "string") this.finishReason = choice.finish_reason;
    const said = choice.message ?? choice.delta;
    if (!isRecord(said)) return;
    if (typeof said.content === "string") this.text += said.content;
    if (typeof said.reasoning_content === "string" && said.reasoning_content !== "")
      this.thinks = true;
    if (!Array.isArray(said.tool_calls) || said.tool_calls.length === 0) return;
    this.hasCalls = true;
    for (const call of said.tool_calls) this.#name(call);
  }

  /** Of the pieces of a call the first has its name. */
  #name(call: unknown): void {
    const name = isRecord(call) && isRecord(call.function) ? call.function.name : null;
    if (typeof name === "string" && name !== "" && this.calls.length < CALLS_MAX)
      this.calls.push(name);
  }

  get runsOn(): boolean {
    return this.text.length > RUN_ON_CHARACTERS;
  }
}
