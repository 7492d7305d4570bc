/** The body of a text order as one channel's upstream gets it. */
import { onlyCapOf, type Refusable, streamsFromAnswer } from "../../contract/channel-profile";
import type { ChatRequest } from "../../contract/chat";
import type { NativeRequest } from "../../dialects/text-dialect";
import { plainerNative } from "../../upstream/plainer-native";
import { type ChannelTerms, outputCapOf, type TextTerms } from "./text-order";

type CapName = "max_tokens" | "max_completion_tokens";

/** The name of the cap, or the other one where the upstream reads only that. */
function readCap(usual: CapName, unread: readonly Refusable[]): CapName {
  const other = usual === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return unread.includes(usual) && !unread.includes(other) ? other : usual;
}

/** Where a request is sent. */
interface Target {
  readonly channel: ChannelTerms;
  readonly upstreamModel: string;
  readonly native: NativeRequest | null;
}

/**
 * The JSON body for one channel: its name for the model, the output cap that was paid for, and
 * usage always on.
 */
export function upstreamBody(
  request: ChatRequest,
  terms: TextTerms,
  { channel, upstreamModel, native }: Target,
  outputTokens: number,
): string {
  if (native !== null) {
    const text = native.text(upstreamModel, outputTokens);
    return plainerNative(text, terms.unread, (name) => terms.ignored.add(name));
  }
  const outputCap = outputCapOf(channel);
  // Upstreams refuse a request with both names of the cap, so ours goes under the name the client
  // used.
  const usesNewName =
    typeof request.max_completion_tokens === "number" && typeof request.max_tokens !== "number";
  const isNewName =
    outputCap === "max_completion_tokens" || (outputCap !== "max_tokens" && usesNewName);
  const usual = onlyCapOf(channel) ?? (isNewName ? "max_completion_tokens" : "max_tokens");
  const capName = readCap(usual, terms.unread);
  const cap = `"${capName}":${outputTokens},`;
  const isStreamed =
    (request.stream && !streamsFromAnswer(channel)) || terms.unread.includes("plain_answers");
  const hasOptions = !terms.unread.includes("stream_options");
  const streamed = !isStreamed
    ? ""
    : !hasOptions
      ? '"stream":true,'
      : `"stream":true,"stream_options":${terms.streamOptions === null ? '{"include_usage":true}' : JSON.stringify({ ...terms.streamOptions, include_usage: true })},`;
  return `{"model":${JSON.stringify(upstreamModel)},${cap}${streamed}${terms.passedOn.slice(1)}`;
}
