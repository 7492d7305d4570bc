/** What scripted upstreams send in the situations of the table. */
import { isRecord } from "@/lib/values/records";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  streamType,
  usageChunk,
  usageOf,
} from "../upstream/test-upstream";
import { event, message, messageStart, messageUsage } from "../upstream/text-wires";
import type { Answers, Situation } from "./situation";

/** The usage of every answer that has one: `CHARGE` is its cost. */
const counts = [100, 20] as const;
export const usage = usageOf(...counts);

export const raw =
  (text: string | Buffer, headers: Record<string, string> = streamType, status = 200): Script =>
  (response) =>
    void response.writeHead(status, headers).end(text);

/** The body, also as the only event of a stream. */
export const both = (body: object): Answers => ({
  plain: (response) => sendJson(response, JSON.stringify(body)),
  stream: raw(`data: ${JSON.stringify(body)}\n\n`),
});

export const DONE = "data: [DONE]\n\n";

/** A chat stream of these deltas, or chunks as text, with its usage; `finish` null: none. */
export const chatStream = (
  parts: readonly (object | string)[],
  finish: string | null = "stop",
): Answers => ({
  stream: raw(
    parts.map((part) => (typeof part === "string" ? part : chunk(part))).join("") +
      (finish === null ? "" : chunk({}, {}, finish)) +
      usageChunk(usage) +
      DONE,
  ),
});

/** A whole chat answer of this message, with its usage. */
export function chatAnswer(said: object, finish: unknown = "stop", members: object = {}): Answers {
  const body: unknown = JSON.parse(completion("", { usage, ...members }));
  const choice = { index: 0, message: { role: "assistant", ...said }, finish_reason: finish };
  const answer = isRecord(body) ? { choices: [choice], ...body, ...members } : {};
  const whole = JSON.stringify({ ...answer, choices: [choice], ...members });
  return { plain: (response) => sendJson(response, whole) };
}

export const piece = (members: object, name?: unknown, text?: unknown) => ({
  tool_calls: [{ ...members, function: { name, arguments: text } }],
});

/** The events of a message stream, between its beginning and its end; `stop` null: none. */
export const messageStream = (events: readonly string[], stop: unknown = "end_turn"): Answers => ({
  stream: raw(
    messageStart(messageUsage(counts[0], 1)) +
      events.join("") +
      event("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: counts[1] },
      }) +
      event("message_stop"),
  ),
});

export const block = (index: number, begun: object, ...deltas: object[]): string =>
  event("content_block_start", { index, content_block: begun }) +
  deltas.map((delta) => event("content_block_delta", { index, delta })).join("") +
  event("content_block_stop", { index });

/** A whole message. */
export const messageAnswer = (content: readonly object[], stop: unknown = "end_turn"): Answers => ({
  plain: (response) =>
    sendJson(response, message(content, { stop_reason: stop, usage: messageUsage(...counts) })),
});

/** An upstream of chat completions alone. */
export const openai = (...answers: Answers[]): Situation["upstream"] => ({
  openai: Object.assign({}, ...answers),
});
