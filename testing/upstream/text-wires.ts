/** The formats in which a scripted upstream answers for text: the same answers in each. */
import type { ChannelProtocol } from "@/lib/contract/states";
import { chunk, completion, usageChunk, usageOf } from "./test-upstream";

export interface TextWire {
  readonly protocol: ChannelProtocol;
  /** A stream's parts, in this order. */
  readonly text: string;
  readonly finish: string;
  readonly usage: string;
  readonly done: string;
  /** A whole answer; without usage when the counts are absent. */
  whole(text: string, counts?: readonly [input: number, output: number]): string;
}

export const event = (type: string, members: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

export const messageUsage = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
});

export function message(content: readonly object[], members: object = {}): string {
  return JSON.stringify({
    id: "msg_up1",
    type: "message",
    role: "assistant",
    model: "upstream-name",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    ...members,
  });
}

export const messageStart = (usage: object = messageUsage(100, 1)) =>
  event("message_start", { message: { ...JSON.parse(message([])), stop_reason: null, usage } });

const delta = { type: "text_delta", text: "content" };

export const textWires = (input: number, output: number): readonly TextWire[] => [
  {
    protocol: "openai",
    text: chunk({ role: "assistant", content: "content" }),
    finish: chunk({}, {}, "stop"),
    usage: usageChunk(usageOf(input, output)),
    done: "data: [DONE]\n\n",
    whole: (text, counts) => completion(text, counts && { usage: usageOf(...counts) }),
  },
  {
    protocol: "anthropic",
    text: [
      messageStart(messageUsage(input, 1)),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("ping"),
      event("content_block_delta", { index: 0, delta }),
    ].join(""),
    finish:
      event("content_block_stop", { index: 0 }) +
      event("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null } }),
    usage: event("message_delta", { delta: {}, usage: { output_tokens: output } }),
    done: event("message_stop"),
    whole: (text, counts) =>
      message([{ type: "text", text }], counts && { usage: messageUsage(...counts) }),
  },
];
