/** The `ai` package from npm, with each of its providers that can reach the product. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import {
  baseUrlOf,
  citySchema,
  type Place,
  QUESTION,
  type TextLibrary,
  WEATHER,
  weather,
} from "./text-library";

const schema = jsonSchema<{ city: string }>(citySchema);

function library(
  name: string,
  dialect: TextLibrary["dialect"],
  modelOf: (place: Place) => LanguageModel,
): TextLibrary {
  const termsOf = (place: Place) => ({
    model: modelOf(place),
    maxOutputTokens: place.outputTokensMax ?? 500,
    ...(place.retries === undefined ? {} : { maxRetries: place.retries }),
  });
  return {
    name: `ai, ${name}`,
    dialect,
    errorNames: "APICallError",
    heedsRefusals: false,
    async say(place, prompt) {
      const { text, usage } = await generateText({ ...termsOf(place), prompt });
      const { inputTokens = 0, outputTokens = 0 } = usage;
      return { text, inputTokens, outputTokens, pieces: 1 };
    },
    async stream(place, prompt, leaveAfter) {
      const leaving = new AbortController();
      const errors: unknown[] = [];
      const stream = streamText({
        ...{ ...termsOf(place), prompt, abortSignal: leaving.signal },
        onError: ({ error }) => void errors.push(error),
      });
      let [text, pieces] = ["", 0];
      for await (const piece of stream.textStream) {
        text += piece;
        if (++pieces !== leaveAfter) continue;
        leaving.abort();
        return { text, inputTokens: 0, outputTokens: 0, pieces };
      }
      if (errors.length > 0) throw errors[0];
      const { inputTokens = 0, outputTokens = 0 } = await stream.usage;
      return { text, inputTokens, outputTokens, pieces };
    },
    async callTool(place, isStream) {
      const given: unknown[] = [];
      const get_weather = tool({
        description: weather.description,
        inputSchema: schema,
        async execute(input) {
          given.push(input);
          return WEATHER;
        },
      });
      const request = {
        ...{ ...termsOf(place), prompt: QUESTION },
        ...{ tools: { get_weather }, stopWhen: stepCountIs(3) },
      };
      const answer = isStream ? streamText(request) : await generateText(request);
      return { text: await answer.text, given: given[0] };
    },
    async makeObject(place) {
      return (await generateObject({ ...termsOf(place), schema, prompt: "Rome" })).object;
    },
  };
}

const openai = (place: Place) => createOpenAI({ apiKey: place.key, baseURL: baseUrlOf(place) });

export const aiSdk: readonly TextLibrary[] = [
  library("@ai-sdk/openai, its default", "responses", (place) => openai(place)(place.model)),
  library("@ai-sdk/openai, chat", null, (place) => openai(place).chat(place.model)),
  library("@ai-sdk/anthropic", "messages", (place) =>
    createAnthropic({ apiKey: place.key, baseURL: baseUrlOf(place) })(place.model),
  ),
  library("@ai-sdk/openai-compatible", null, (place) =>
    createOpenAICompatible({
      ...{ name: "relay", apiKey: place.key, baseURL: baseUrlOf(place) },
      ...{ includeUsage: true, supportsStructuredOutputs: true },
    }).chatModel(place.model),
  ),
];
