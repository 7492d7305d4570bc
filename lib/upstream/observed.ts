/** How an upstream answered one small question. */
import { isRecord } from "../records";
import type { ChatEnd, UpstreamFailure } from "./provider";

/** A longer answer to a question with a cap of a few tokens ignores the cap. */
const RUN_ON_CHARACTERS = 480;

export interface Observed {
  /** Null when the upstream answered, also when the answer was cut here because it ran on. */
  readonly failure: UpstreamFailure | null;
  /** The text is longer than any cap of a question allows. */
  readonly runsOn: boolean;
  readonly end: ChatEnd;
  /** What was said, as far as it was read. */
  readonly text: string;
  readonly hasCalls: boolean;
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
  finishReason: null,
  chunks: null,
  tookMs: 0,
});

/** What choices say, of a plain answer or of the chunks of a stream. */
export class Said {
  text = "";
  hasCalls = false;
  finishReason: string | null = null;

  /** Reads the first choice. */
  add(choices: unknown): void {
    const choice: unknown = Array.isArray(choices) ? choices[0] : null;
    if (!isRecord(choice)) return;
    if (typeof choice.finish_reason === "string") this.finishReason = choice.finish_reason;
    const said = choice.message ?? choice.delta;
    if (!isRecord(said)) return;
    if (typeof said.content === "string") this.text += said.content;
    if (Array.isArray(said.tool_calls) && said.tool_calls.length > 0) this.hasCalls = true;
  }

  get runsOn(): boolean {
    return this.text.length > RUN_ON_CHARACTERS;
  }
}
