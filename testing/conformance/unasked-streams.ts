/** Streams of upstreams that were asked for a whole answer. */
import { calls, OSLO, oslo, ROME, rome } from "./call-words";
import type { Answers, Situation } from "./situation";
import { block, chatStream, messageStream, piece } from "./upstreams";

/** The same answer where a whole one was asked for. */
const asPlain = ({ stream }: Answers): Answers => (stream === undefined ? {} : { plain: stream });

/** The block of a call, its input in two pieces. */
const blockOf = (index: number, id: string, input: string) =>
  block(
    index,
    { type: "tool_use", id, name: "get_weather", input: {} },
    { type: "input_json_delta", partial_json: input.slice(0, 5) },
    { type: "input_json_delta", partial_json: input.slice(5) },
  );

export const unaskedStreams: readonly Situation[] = [
  {
    sent: "a stream where a whole answer was asked for",
    got: "502",
    right: "a whole answer made of it",
    upstream: {
      openai: asPlain(chatStream([{ content: "h" }, { content: "i" }])),
      anthropic: asPlain(
        messageStream([
          block(
            0,
            { type: "text", text: "" },
            { type: "text_delta", text: "h" },
            {
              type: "text_delta",
              text: "i",
            },
          ),
        ]),
      ),
    },
    reads: { text: "hi", calls: [], end: "stop", error: null },
  },
  {
    sent: "a stream with two calls, both at index 0, where a whole answer was asked for",
    got: "502",
    right: "two calls",
    upstream: {
      openai: asPlain(
        chatStream(
          [
            piece({ index: 0, id: "a1" }, "get_weather", OSLO.slice(0, 8)),
            piece({ index: 0 }, undefined, OSLO.slice(8)),
            piece({ index: 0, id: "a2" }, "get_weather", ROME),
          ],
          "tool_calls",
        ),
      ),
      anthropic: asPlain(
        messageStream([blockOf(0, "a1", OSLO), blockOf(1, "a2", ROME)], "tool_use"),
      ),
    },
    reads: calls(oslo, rome),
  },
];
