/** How an answer can end, in the words of chat, and what the words of upstreams mean. */

export type Finish = "stop" | "length" | "tool_calls" | "content_filter";

/** The meaning of each word, whatever its case, and whatever the kind of word is called before it. */
const meanings: ReadonlyMap<string, Finish> = new Map<string, Finish>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_token", "stop"],
  ["complete", "stop"],
  ["completed", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["refusal", "content_filter"],
  ["safety", "content_filter"],
  ["image_safety", "content_filter"],
  ["prohibited_content", "content_filter"],
  ["blocklist", "content_filter"],
  ["spii", "content_filter"],
  ["image_prohibited_content", "content_filter"],
  ["image_recitation", "content_filter"],
  ["error_toxic", "content_filter"],
  ["content_filtered", "content_filter"],
  ["guardrail_intervened", "content_filter"],
  ["recitation", "content_filter"],
  ["sensitive", "content_filter"],
]);

/**
 * What the upstream's last word says of its answer. Without one, or with one that is not known, half
 * an answer must not pass for a whole one: it counts as cut at a limit, and is billed as any other.
 */
export const finishOf = (word: unknown): Finish =>
  (typeof word === "string" ? meanings.get(plainWord(word)) : undefined) ?? "length";

const plainWord = (word: string) =>
  word
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/^finish_?reason[._]/, "")
    // Gemini says why, after the word.
    .replace(/: .*$/, "");

/** Whether an upstream said how its answer ended. Some say it with each chunk, as an empty text. */
export const isFinish = (word: unknown): word is string =>
  typeof word === "string" && word !== "" && word !== "null";

/** How an answer ended, by the upstream's word and by the calls that came. */
export function finishWith(
  calls: { readonly count: number; readonly isBroken: boolean },
  word: unknown,
): Finish {
  const finish = finishOf(word);
  if (finish !== "stop" && finish !== "tool_calls") return finish;
  if (calls.isBroken) return "length";
  if (calls.count > 0) return "tool_calls";
  // A call was meant, and nothing of it came.
  return finish === "tool_calls" ? "length" : "stop";
}

/** `finish_reason` → `stop_reason` of the Messages API. */
export const stopReasonByFinish = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const satisfies Readonly<Record<Finish, string>>;
