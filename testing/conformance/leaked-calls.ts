/** Calls around which a server or a model leaves marks of its own. */
import type { Situation } from "./situation";
import { chatAnswer, chatStream, openai, piece } from "./upstreams";

const oslo = { city: "Oslo" };
const text = JSON.stringify(oslo);
const weather = { text: "", calls: [{ name: "get_weather", input: oslo }], end: "calls" };
const both = {
  text: "",
  calls: [
    { name: "get_time", input: {} },
    { name: "get_weather", input: oslo },
  ],
  end: "calls",
};

const named = (sent: string, thread: string | null, name: string): Situation => ({
  ...{ sent, thread, got: "an unknown tool", right: "the tool" },
  upstream: openai(
    chatStream([piece({ index: 0, id: "a1", type: "function" }, name, text)], "tool_calls"),
    chatAnswer(
      { tool_calls: [{ id: "a1", type: "function", function: { name, arguments: text } }] },
      "tool_calls",
    ),
  ),
  reads: weather,
});

export const leakedCalls: readonly Situation[] = [
  named(
    "a name with a mark of gpt-oss",
    "vllm-project/vllm#32587",
    "get_weather<|channel|>commentary",
  ),
  named(
    "a name with another mark of gpt-oss",
    "ollama/ollama#12132",
    "get_weather<|channel|>analysis",
  ),
  named("a name after `functions.` and before a number", null, "functions.get_weather:0"),
  named("a name after `default_api.`", null, "default_api.get_weather"),
  {
    sent: "an object without members before the arguments",
    ...{ thread: null, got: "a call without arguments", right: "the call" },
    upstream: openai(
      chatStream(
        [
          piece({ index: 0, id: "a1", type: "function" }, "get_weather", "{}"),
          piece({ index: 0 }, undefined, '{"city":'),
          piece({ index: 0 }, undefined, '"Oslo"}'),
        ],
        "tool_calls",
      ),
      chatAnswer(
        {
          tool_calls: [
            {
              id: "a1",
              type: "function",
              function: { name: "get_weather", arguments: `{}${text}` },
            },
          ],
        },
        "tool_calls",
      ),
    ),
    reads: weather,
  },
  {
    sent: "a call without arguments before another one",
    ...{ thread: null, got: "both", right: "both" },
    upstream: openai(
      chatStream(
        [
          piece({ index: 0, id: "a1", type: "function" }, "get_time", "{}"),
          piece({ index: 1, id: "a2", type: "function" }, "get_weather", text),
        ],
        "tool_calls",
      ),
    ),
    reads: both,
  },
];
