/**
 * Finds out what a channel's profile says. What cannot be found out is left out: a busy server, a
 * broken connection or an answer that could mean either is never a "no".
 */
import type { ChannelProfile, Reads } from "../contract/channel-profile";
import { findCap, isBilled, isRefused } from "./find-cap";
import { findReads } from "./find-reads";
import type { Observed } from "./observed";
import type { Prober } from "./probe";
import { blind, type CapName, calling, seeing, short } from "./probe-requests";
import type { Channel } from "./provider";

const SHORT_TOKENS = 16;
/** A call of the tool is a few dozen tokens; a model may think before it. */
const LONG_TOKENS = 128;
/** Fewer than any server counts for an image. */
const IMAGE_TOKENS_MIN = 8;

export interface Found {
  /** The answer to the first and simplest question. */
  readonly first: Observed;
  /** Empty when that was not answered. */
  readonly profile: ChannelProfile;
  /** What was found out of the model that was asked. */
  readonly reads: Reads;
}

interface ToolsFound {
  readonly tools: boolean | undefined;
  readonly reads: Reads;
}

async function findTools(prober: Prober, cap: CapName): Promise<ToolsFound> {
  let called = await prober.plain(cap, LONG_TOKENS, calling);
  const isFree = called.failure?.unread?.includes("tool_choice") === true;
  const reads: Reads = isFree ? { tool_choice: false } : {};
  if (isFree) {
    const { tool_choice: _, ...free } = calling;
    called = await prober.plain(cap, LONG_TOKENS, free);
  }
  if (called.hasCalls) return { tools: true, reads };
  const isDeclined = called.failure === null && called.finishReason === "stop";
  // Without being told to, a model may do without the tool.
  const isWithout = isRefused(called) || (isDeclined && !isFree);
  return { tools: isWithout ? false : undefined, reads };
}

/** An upstream may take an image and drop it: it was seen if it was counted, or its colour named. */
async function findImages(prober: Prober, cap: CapName): Promise<boolean | undefined> {
  const seen = await prober.plain(cap, LONG_TOKENS, seeing);
  if (isRefused(seen)) return false;
  if (seen.failure !== null) return undefined;
  if (/\bred\b/i.test(seen.text)) return true;
  const { end } = await prober.plain(cap, SHORT_TOKENS, blind);
  if (end.usage === null || seen.end.usage === null) return undefined;
  const added = seen.end.usage.inputTokens - end.usage.inputTokens;
  return added >= IMAGE_TOKENS_MIN;
}

/** The first question, under the name of the cap that the upstream takes. */
async function begin(prober: Prober, hasBothCaps: boolean) {
  const first = await prober.plain("max_tokens", SHORT_TOKENS, short);
  if (!isRefused(first) || !hasBothCaps) return { first, cap: "max_tokens" as const };
  const second = await prober.plain("max_completion_tokens", SHORT_TOKENS, short);
  return second.failure === null
    ? { first: second, cap: "max_completion_tokens" as const }
    : { first, cap: "max_tokens" as const };
}

/** `listsModels`: whether the upstream answers with a list of its models. */
export async function findProfile(
  prober: Prober,
  { protocol }: Channel,
  listsModels: (channel: Channel) => Promise<boolean | undefined>,
): Promise<Found> {
  // The Messages API has one name for the cap.
  const hasBothCaps = protocol !== "anthropic";
  const { first, cap } = await begin(prober, hasBothCaps);
  if (first.failure !== null) return { first, profile: {}, reads: {} };
  const own = await findCap(prober, cap, true);
  const isOld = cap === "max_tokens";
  const other =
    hasBothCaps && isOld
      ? await findCap(prober, "max_completion_tokens", false)
      : { isKept: false, streamUsage: undefined };
  const best = own.isKept === false && other.isKept === true ? "max_completion_tokens" : cap;
  const { tools, reads: ofTools } = await findTools(prober, best);
  const images = await findImages(prober, best);
  // The Messages API has a form of its own.
  const found = hasBothCaps ? await findReads(prober, best) : {};
  const ofStreams: Reads = own.streamOptions === false ? { stream_options: false } : {};
  const reads = { ...found, ...ofTools, ...ofStreams };
  const channel = prober.next();
  return {
    first,
    reads,
    profile: {
      plainUsage: isBilled(first),
      streamUsage: own.streamUsage ?? other.streamUsage,
      maxTokens: isOld ? own.isKept : other.isKept,
      maxCompletionTokens: isOld ? other.isKept : own.isKept,
      tools,
      images,
      modelList: channel === null ? undefined : await listsModels(channel),
    },
  };
}
