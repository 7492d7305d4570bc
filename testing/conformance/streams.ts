/** Answers that come in unusual pieces, and their ends. */
import type { Reading, Situation } from "./situation";
import {
  block,
  chatAnswer,
  chatStream,
  messageAnswer,
  messageStream,
  openai,
  piece,
} from "./upstreams";

const oslo = { name: "get_weather", input: { city: "Oslo" } };
const calls = (...all: Reading["calls"]) => ({ calls: all, end: "calls", error: null });
const says = (text: string) => ({ text, calls: [], end: "stop", error: null });

const OSLO = '{"city":"Oslo"}';
const text = { type: "text_delta", text: "hi" };

export const streams: readonly Situation[] = [
  {
    sent: "an ordinary text",
    thread: null,
    got: "the text",
    right: "the text",
    upstream: {
      openai: {
        ...chatStream([{ role: "assistant", content: "hi" }]),
        ...chatAnswer({ content: "hi" }),
      },
      anthropic: {
        ...messageStream([block(0, { type: "text", text: "" }, text)]),
        ...messageAnswer([{ type: "text", text: "hi" }]),
      },
    },
    reads: says("hi"),
  },
  {
    sent: "a call in pieces",
    thread: null,
    got: "the call",
    right: "the call",
    upstream: openai(
      chatStream(
        [
          {
            role: "assistant",
            ...piece({ index: 0, id: "a1", type: "function" }, "get_weather", ""),
          },
          piece({ index: 0 }, undefined, OSLO.slice(0, 6)),
          piece({ index: 0 }, undefined, OSLO.slice(6)),
        ],
        "tool_calls",
      ),
    ),
    reads: calls(oslo),
  },
];
