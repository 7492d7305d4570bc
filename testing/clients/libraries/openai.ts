/** The `openai` package from npm: chat completions, and the Responses API. */
import OpenAI from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import {
  baseUrlOf,
  citySchema,
  errorNames,
  type Place,
  QUESTION,
  type TextLibrary,
  WEATHER,
  weather,
} from "./text-library";

const clientOf = (place: Place) =>
  new OpenAI({ apiKey: place.key, baseURL: baseUrlOf(place), maxRetries: place.retries ?? 2 });
const chatTerms = ({ model, outputTokensMax = 500 }: Place) => ({
  model,
  max_tokens: outputTokensMax,
});
const responseTerms = ({ model, outputTokensMax = 500 }: Place) => ({
  model,
  max_output_tokens: outputTokensMax,
});
const say = (content: string) => [{ role: "user" as const, content }];
const format = { name: "place", schema: citySchema, strict: true };

export const openaiChat: TextLibrary = {
  name: "openai, chat completions",
  dialect: null,
  errorNames,
  heedsRefusals: true,
  isExemplar: true,
  async say(place, prompt) {
    const { data, request_id } = await clientOf(place)
      .chat.completions.create({ ...chatTerms(place), messages: say(prompt) })
      .withResponse();
    return {
      text: data.choices[0]?.message.content ?? "",
      inputTokens: data.usage?.prompt_tokens ?? 0,
      outputTokens: data.usage?.completion_tokens ?? 0,
      pieces: 1,
      requestId: request_id ?? "",
    };
  },
  async stream(place, prompt, leaveAfter) {
    const stream = await clientOf(place).chat.completions.create({
      ...{ ...chatTerms(place), messages: say(prompt) },
      ...{ stream: true, stream_options: { include_usage: true } },
    });
    const said = { text: "", inputTokens: 0, outputTokens: 0, pieces: 0 };
    for await (const { choices, usage } of stream) {
      said.text += choices[0]?.delta.content ?? "";
      said.inputTokens = usage?.prompt_tokens ?? 0;
      said.outputTokens = usage?.completion_tokens ?? 0;
      if (++said.pieces === leaveAfter) break;
    }
    return said;
  },
  async callTool(place, isStream) {
    const { completions } = clientOf(place).chat;
    const tools = [{ type: "function" as const, function: { ...weather, parameters: citySchema } }];
    const ask = async (messages: OpenAI.ChatCompletionMessageParam[]) => {
      const request = { ...chatTerms(place), messages, tools };
      const answer = isStream
        ? await completions.stream(request).finalChatCompletion()
        : await completions.create(request);
      return answer.choices[0];
    };
    const first = await ask(say(QUESTION));
    const [call] = first?.message.tool_calls ?? [];
    if (first?.finish_reason !== "tool_calls" || call?.type !== "function")
      throw new Error("no tool was called");
    const result = { role: "tool" as const, tool_call_id: call.id, content: WEATHER };
    const second = await ask([...say(QUESTION), first.message, result]);
    return { given: JSON.parse(call.function.arguments), text: second?.message.content ?? "" };
  },
  async makeObject(place) {
    const completion = await clientOf(place).chat.completions.parse({
      ...{ ...chatTerms(place), messages: say("Rome") },
      response_format: { type: "json_schema", json_schema: format },
    });
    return JSON.parse(completion.choices[0]?.message.content ?? "");
  },
};

export const openaiResponses: TextLibrary = {
  name: "openai, responses",
  dialect: "responses",
  errorNames,
  heedsRefusals: true,
  async say(place, prompt) {
    const { data, request_id } = await clientOf(place)
      .responses.create({ ...responseTerms(place), input: prompt })
      .withResponse();
    return {
      text: data.output_text,
      inputTokens: data.usage?.input_tokens ?? 0,
      outputTokens: data.usage?.output_tokens ?? 0,
      pieces: 1,
      requestId: request_id ?? "",
    };
  },
  async stream(place, prompt, leaveAfter) {
    const request = { ...responseTerms(place), input: prompt, stream: true as const };
    const said = { text: "", inputTokens: 0, outputTokens: 0, pieces: 0 };
    for await (const event of await clientOf(place).responses.create(request)) {
      if (event.type === "response.failed") throw new Error(event.response.error?.code);
      if (event.type === "response.output_text.delta") {
        said.text += event.delta;
        if (++said.pieces === leaveAfter) break;
      }
      if (event.type !== "response.completed") continue;
      said.inputTokens = event.response.usage?.input_tokens ?? 0;
      said.outputTokens = event.response.usage?.output_tokens ?? 0;
    }
    return said;
  },
  async callTool(place, isStream) {
    const { responses } = clientOf(place);
    const tool = { type: "function" as const, ...weather, parameters: citySchema, strict: true };
    const input: ResponseInputItem[] = [{ role: "user", content: QUESTION }];
    const ask = () => {
      const request = { ...responseTerms(place), input, tools: [tool], store: false };
      return isStream ? responses.stream(request).finalResponse() : responses.create(request);
    };
    const { output } = await ask();
    const call = output.find(({ type }) => type === "function_call");
    if (call?.type !== "function_call") throw new Error("no tool was called");
    input.push(...(output as ResponseInputItem[]));
    input.push({ type: "function_call_output", call_id: call.call_id, output: WEATHER });
    return { given: JSON.parse(call.arguments), text: (await ask()).output_text };
  },
  async makeObject(place) {
    const parsed = await clientOf(place).responses.parse({
      ...{ ...responseTerms(place), input: "Rome" },
      text: { format: { type: "json_schema", ...format } },
    });
    return JSON.parse(parsed.output_text);
  },
};
