/** The client libraries of the table, each reading one answer. None of them tries a request again. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from "ai";
import OpenAI from "openai";
import { refusalOf } from "../clients/libraries/text-library";
import type { Form, Reading, Spoken } from "./situation";

export interface Client {
  readonly name: string;
  readonly spoken: Spoken;
  /** Whether it sends members of a request as they are. */
  readonly isRaw: boolean;
  read(origin: string, form: Form, asks: object): Promise<Reading>;
}

const MODEL = "RelayV1";
const QUESTION = "hello";
const parameters = { type: "object" as const, properties: { city: { type: "string" as const } } };
const described = ["get_weather", "get_time"].map((name) => ({ name, description: name }));

const nothing: Reading = { text: "", thought: "", calls: [], end: "error", error: null };

/** The input of a call, or the text that is none. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { broken: text };
  }
}

const textIn = (value: object, name: string): string => {
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === "string" ? found : "";
};

const chatEnds: Readonly<Record<string, Reading["end"]>> = {
  stop: "stop",
  tool_calls: "calls",
  length: "length",
  content_filter: "filter",
};

const chat: Client = {
  name: "openai, chat",
  spoken: "chat",
  isRaw: true,
  async read(origin, form, asks) {
    const { completions } = new OpenAI({
      ...{ apiKey: "good", baseURL: `${origin}/v1`, maxRetries: 0 },
    }).chat;
    const tools = described.map((one) => ({
      type: "function" as const,
      function: { ...one, parameters },
    }));
    const request = {
      ...{ model: MODEL, max_tokens: 50, tools },
      messages: [{ role: "user" as const, content: QUESTION }],
      ...asks,
    };
    const answer =
      form === "stream"
        ? await completions.stream(request).finalChatCompletion()
        : await completions.create(request);
    const [choice] = answer.choices;
    const calls = choice?.message.tool_calls ?? [];
    return {
      text: `${choice?.message.content ?? ""}${choice?.message.refusal ?? ""}`,
      thought: textIn(choice?.message ?? {}, "reasoning_content"),
      calls: calls.flatMap((call) =>
        call.type === "function"
          ? [{ name: call.function.name, input: inputOf(call.function.arguments) }]
          : [],
      ),
      end: chatEnds[String(choice?.finish_reason)] ?? "error",
      error: null,
    };
  },
};

const messageEnds: Readonly<Record<string, Reading["end"]>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "calls",
  max_tokens: "length",
  refusal: "filter",
};

const messages: Client = {
  name: "@anthropic-ai/sdk",
  spoken: "messages",
  isRaw: true,
  async read(origin, form, asks) {
    const client = new Anthropic({ apiKey: "good", baseURL: origin, maxRetries: 0 });
    const request = {
      ...{ model: MODEL, max_tokens: 50 },
      tools: described.map((one) => ({ ...one, input_schema: parameters })),
      messages: [{ role: "user" as const, content: QUESTION }],
      ...asks,
    };
    const answer =
      form === "stream"
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
    const joined = (of: (block: Anthropic.ContentBlock) => string) =>
      answer.content.map(of).join("");
    return {
      text: joined((block) => (block.type === "text" ? block.text : "")),
      thought: joined((block) => (block.type === "thinking" ? block.thinking : "")),
      calls: answer.content.flatMap((block) =>
        block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [],
      ),
      end: messageEnds[String(answer.stop_reason)] ?? "error",
      error: null,
    };
  },
};

function responseEnd({ status, incomplete_details, output }: OpenAI.Responses.Response) {
  if (status === "incomplete")
    return incomplete_details?.reason === "content_filter" ? "filter" : "length";
  if (status !== "completed") return "error";
  return output.some(({ type }) => type === "function_call") ? "calls" : "stop";
}

const responses: Client = {
  name: "openai, responses",
  spoken: "responses",
  isRaw: true,
  async read(origin, form, asks) {
    const client = new OpenAI({ apiKey: "good", baseURL: `${origin}/v1`, maxRetries: 0 });
    const tools = described.map((one) => ({
      ...{ type: "function" as const, ...one, parameters, strict: false },
    }));
    const request = {
      ...{ model: MODEL, max_output_tokens: 50, store: false, input: QUESTION, tools },
      ...asks,
    };
    const answer =
      form === "stream"
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
    const thoughts = answer.output.flatMap((item) =>
      item.type === "reasoning" ? item.summary.map(({ text }) => text) : [],
    );
    const refusals = answer.output.flatMap((item) =>
      item.type === "message"
        ? item.content.map((part) => (part.type === "refusal" ? part.refusal : ""))
        : [],
    );
    const { error, usage } = answer;
    return {
      ...(usage && { counts: { ...usage.input_tokens_details, ...usage.output_tokens_details } }),
      text: `${answer.output_text}${refusals.join("")}`,
      thought: thoughts.join(""),
      calls: answer.output.flatMap((item) =>
        item.type === "function_call" ? [{ name: item.name, input: inputOf(item.arguments) }] : [],
      ),
      end: responseEnd(answer),
      error: error && { status: 200, code: error.code, message: error.message },
    };
  },
};

const aiEnds: Readonly<Record<string, Reading["end"]>> = {
  stop: "stop",
  "tool-calls": "calls",
  length: "length",
  "content-filter": "filter",
};

const ai = (spoken: Spoken, modelAt: (origin: string) => LanguageModel): Client => ({
  name: `ai, ${spoken}`,
  spoken,
  isRaw: false,
  async read(origin, form) {
    const one = tool({
      ...{ description: "a tool", inputSchema: jsonSchema<object>(parameters) },
      execute: async () => "done",
    });
    const tools = { get_weather: one, get_time: one };
    const errors: unknown[] = [];
    const request = {
      ...{ model: modelAt(origin), prompt: QUESTION, tools, maxRetries: 0, maxOutputTokens: 50 },
      onError: ({ error }: { error: unknown }) => void errors.push(error),
    };
    const answer = form === "stream" ? streamText(request) : await generateText(request);
    // A stream that failed has no text, and says why to `onError` only.
    const text = await Promise.resolve(answer.text).catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
    return {
      text: String(text),
      thought: (await answer.reasoningText) ?? "",
      calls: (await answer.toolCalls).map(({ toolName, input }) => ({ name: toolName, input })),
      end: aiEnds[await answer.finishReason] ?? ("error" as const),
      error: null,
    };
  },
});

const place = (origin: string) => ({ apiKey: "good", baseURL: `${origin}/v1` });

export const clients: readonly Client[] = [
  chat,
  messages,
  responses,
  ai("chat", (origin) =>
    createOpenAICompatible({ ...place(origin), name: "relay" }).chatModel(MODEL),
  ),
  ai("messages", (origin) => createAnthropic(place(origin))(MODEL)),
  ai("responses", (origin) => createOpenAI(place(origin))(MODEL)),
];

/** What the client reads; an error that it throws is read, too. */
export async function readingOf(client: Client, ...asked: Parameters<Client["read"]>) {
  try {
    return await client.read(...asked);
  } catch (error) {
    const { status, code } = refusalOf(error);
    const message = error instanceof Error ? error.message : String(error);
    return { ...nothing, error: { status, code, message } };
  }
}
