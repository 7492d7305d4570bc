/** Finds out whether an upstream keeps an output cap, and whether its streams carry usage. */
import { refusalReasons } from "../contract/states";
import { isRecord } from "../values/records";
import type { Observed } from "./observed";
import type { Prober } from "./probe";
import { type CapName, counting } from "./probe-requests";
import type { ReportedUsage } from "./provider";

const CAP_TOKENS = 16;
/** A server may count the end of the answer as well. */
const SLACK_TOKENS = 4;
/** The chunks of a stream besides those of its tokens. */
const CHUNKS_BESIDES = 3;

export interface CapFound {
  readonly isKept: boolean | undefined;
  readonly streamUsage: boolean | undefined;
  /** False when streams carry usage, and the option that asks for it is refused. */
  readonly streamOptions?: false;
}

/** True when the answer has usage that can be charged. */
export function isBilled({ end: { usage, hasContent } }: Observed): boolean {
  return usage !== null && !(hasContent && usage.inputTokens === 0 && usage.outputTokens === 0);
}

/** Some caps do not count what the model thinks; that is the channel's setting. */
function saidTokens({ outputTokens, reported }: ReportedUsage): number {
  const details = reported.completion_tokens_details;
  const thought = isRecord(details) ? details.reasoning_tokens : 0;
  return outputTokens - (typeof thought === "number" ? thought : 0);
}

/** Whether an answer that would be far longer without its cap was kept to it. */
function keeps(observed: Observed): boolean | undefined {
  if (observed.runsOn) return false;
  if (observed.failure !== null) return undefined;
  const isCut = observed.finishReason === "length";
  const { chunks, end } = observed;
  if (end.usage !== null && isBilled(observed)) {
    if (saidTokens(end.usage) > CAP_TOKENS + SLACK_TOKENS) return false;
    return isCut ? true : undefined;
  }
  // A chunk has at least one token, but a server may divide an answer more finely.
  return isCut && chunks !== null && chunks <= CAP_TOKENS + CHUNKS_BESIDES ? true : undefined;
}

/** True when the upstream answered that it does not take such a request. */
export const isRefused = ({ failure }: Observed) =>
  refusalReasons.some((reason) => reason === failure?.code) || failure?.unread !== undefined;

/**
 * Asks by a stream first, because one that runs on can be ended. `isTaken`: a plain request with this
 * cap was answered, so a refused stream is refused for being one.
 */
export async function findCap(prober: Prober, cap: CapName, isTaken: boolean): Promise<CapFound> {
  let streamed = await prober.stream(cap, CAP_TOKENS, counting);
  const isPlain = streamed.failure?.unread?.includes("stream_options") === true;
  if (isPlain)
    streamed = await prober.stream(cap, CAP_TOKENS, { ...counting, stream_options: undefined });
  let streamUsage: boolean | undefined;
  if (streamed.failure === null && !streamed.runsOn) streamUsage = isBilled(streamed);
  else if (isTaken && isRefused(streamed)) streamUsage = false;
  const options = isPlain && streamUsage === true ? { streamOptions: false as const } : {};
  const isKept = keeps(streamed);
  if (isKept !== undefined) return { isKept, streamUsage, ...options };
  const plain = await prober.plain(cap, CAP_TOKENS, counting);
  return { isKept: isRefused(plain) ? false : keeps(plain), streamUsage, ...options };
}
