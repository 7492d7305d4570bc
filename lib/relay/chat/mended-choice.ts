/** The message of a large answer in the form in which every client reads it. */
import { type CanonicalContext, canonicalAnswer } from "../../dialects/canonical-answer";
import { choiceOf } from "../../dialects/chat-parts";
import type { KeptChoice } from "../../upstream/provider";

/** One of a million small objects takes half a second to read. */
const OBJECTS_MAX = 20_000;

function hasFewObjects(text: string): boolean {
  let at = -1;
  for (let count = 0; count <= OBJECTS_MAX; count++) {
    at = text.indexOf("{", at + 1);
    if (at === -1) return true;
  }
  return false;
}

/** See `LargeAnswerListener`. */
export function mendedChoice(
  { message, finishReason }: KeptChoice,
  context: CanonicalContext,
): string | null {
  if (typeof message !== "string" || !hasFewObjects(message)) return null;
  const answer: Record<string, unknown> = {};
  try {
    answer.choices = [
      { message: JSON.parse(message), finish_reason: JSON.parse(finishReason ?? "null") },
    ];
  } catch {
    return null;
  }
  canonicalAnswer(answer, context);
  const { message: mended, finish_reason: reason } = choiceOf(answer) ?? {};
  return `,"message":${JSON.stringify(mended)},"finish_reason":${JSON.stringify(reason)}}`;
}
