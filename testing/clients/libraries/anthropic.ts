/** The `@anthropic-ai/sdk` package from npm. */
import Anthropic from "@anthropic-ai/sdk";
import {
  citySchema,
  errorNames,
  type Place,
  QUESTION,
  type TextLibrary,
  WEATHER,
  weather,
} from "./text-library";

const clientOf = ({ key, origin, retries = 2 }: Place) =>
  new Anthropic({ apiKey: key, baseURL: origin, maxRetries: retries });
const termsOf = ({ model, outputTokensMax = 500 }: Place) => ({
  model,
  max_tokens: outputTokensMax,
});
const say = (content: string) => [{ role: "user" as const, content }];
const textOf = (content: readonly Anthropic.ContentBlock[]) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

export const anthropic: TextLibrary = {
  name: "@anthropic-ai/sdk",
  dialect: "messages",
  errorNames: { ...errorNames, 402: "PaymentRequiredError" },
  heedsRefusals: true,
  isExemplar: true,
  async say(place, prompt) {
    const { data, request_id } = await clientOf(place)
      .messages.create({ ...termsOf(place), messages: say(prompt) })
      .withResponse();
    return {
      text: textOf(data.content),
      inputTokens: data.usage.input_tokens,
      outputTokens: data.usage.output_tokens,
      pieces: 1,
      requestId: request_id ?? "",
    };
  },
  async stream(place, prompt, leaveAfter) {
    const stream = clientOf(place).messages.stream({ ...termsOf(place), messages: say(prompt) });
    let [text, pieces] = ["", 0];
    for await (const event of stream) {
      if (event.type !== "content_block_delta" || event.delta.type !== "text_delta") continue;
      text += event.delta.text;
      if (++pieces === leaveAfter) return { text, inputTokens: 0, outputTokens: 0, pieces };
    }
    const { usage } = await stream.finalMessage();
    const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
    return { text, inputTokens, outputTokens, pieces };
  },
  async callTool(place, isStream) {
    const { messages } = clientOf(place);
    const tools = [{ ...weather, input_schema: citySchema }];
    const ask = (turns: Anthropic.MessageParam[]) => {
      const request = { ...termsOf(place), messages: turns, tools };
      return isStream ? messages.stream(request).finalMessage() : messages.create(request);
    };
    const first = await ask(say(QUESTION));
    const use = first.content.find((block) => block.type === "tool_use");
    if (first.stop_reason !== "tool_use" || use === undefined)
      throw new Error("no tool was called");
    const result = { type: "tool_result" as const, tool_use_id: use.id, content: WEATHER };
    const second = await ask([
      ...say(QUESTION),
      { role: "assistant", content: first.content },
      { role: "user", content: [result] },
    ]);
    return { given: use.input, text: textOf(second.content) };
  },
};
