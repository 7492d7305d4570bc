/** The small requests with which a channel's upstream is tested. */
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
