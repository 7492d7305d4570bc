/** The small requests with which a channel's upstream is tested. */
import type { Reading } from "../contract/channel-profile";
import type { JsonObject } from "./provider";

export type CapName = "max_tokens" | "max_completion_tokens";

const ask = (content: unknown) => ({ messages: [{ role: "user", content }] });

export const short = ask("Answer with OK.");
/** Its answer is far longer than any cap with which it is asked. */
export const counting = ask("Count from 1 to 200 in digits, separated by commas.");
export const streamed = { stream: true, stream_options: { include_usage: true } };

const tool = { type: "function", function: { name: "report" } };
export const calling = {
  ...ask("Call report with the word OK."),
  tools: [
    {
      ...tool,
      function: {
        ...tool.function,
        description: "Reports a word.",
        parameters: {
          type: "object",
          properties: { word: { type: "string" } },
          required: ["word"],
        },
      },
    },
  ],
  tool_choice: tool,
};

const developer = (text: string) => ({ role: "developer", content: [{ type: "text", text }] });
const made = {
  id: "call_1",
  type: "function",
  function: { name: "report", arguments: '{"word":"OK"}' },
};

/** What an agent sends in its second turn: each message in a form that some servers do not read. */
export const turn = {
  messages: [
    developer("Answer with one word."),
    ...ask([{ type: "text", text: "Call report with the word OK." }]).messages,
    { role: "assistant", content: null, tool_calls: [made] },
    { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "done" }] },
  ],
  tools: calling.tools.map((one) => ({ ...one, function: { ...one.function, strict: false } })),
  parallel_tool_calls: true,
};
/** The forms and fields of `turn`. */
export const turnReadings = [
  "developer",
  "system",
  "content_parts",
  "content_null",
  "call_ids",
  "call_signature",
  "strict",
  "parallel_tool_calls",
] as const satisfies readonly Reading[];

/** Fields of single requests that some servers refuse. */
export const fields = {
  ...ask("Answer in JSON with the word OK."),
  response_format: {
    type: "json_schema",
    json_schema: {
      name: "answer",
      schema: {
        type: "object",
        properties: { word: { type: "string" } },
        required: ["word"],
        additionalProperties: false,
      },
    },
  },
  reasoning_effort: "low",
  store: false,
  metadata: { from: "test" },
  seed: 1,
  user: "test",
};
export const fieldReadings = [
  "json_schema",
  "reasoning_effort",
  "store",
  "metadata",
  "seed",
  "user",
] as const satisfies readonly Reading[];

/** 64 × 64 pixels, all of them red. */
const RED =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC";
export const seeing = ask([
  { type: "text", text: "Which colour is this image? Answer with one word." },
  { type: "image_url", image_url: { url: RED } },
]);
/** The same question without its image: its tokens are those of the words. */
export const blind = ask("Which colour is this image? Answer with one word.");

export const requestText = (model: string, cap: CapName, tokens: number, members: JsonObject) =>
  JSON.stringify({ model, [cap]: tokens, ...members });
