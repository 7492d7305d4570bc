/**
 * Tools and structured output of the unmodified `openai` and `ai` packages from npm, through the
 * running server to the sandbox.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateObject, generateText, Output, streamObject, tool } from "ai";
import OpenAI from "openai";
import { LengthFinishReasonError } from "openai/core/error";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel], points: "100000" }));
const web = await opened(serveFind(relay.find));
const baseURL = `${web.origin}/v1`;
const client = new OpenAI({ apiKey: "good", baseURL, maxRetries: 0 });
const chatModel = createOpenAICompatible({
  name: "relay",
  apiKey: "good",
  baseURL,
  supportsStructuredOutputs: true,
}).chatModel("RelayV1");

const say = (content: string) => [{ role: "user" as const, content }];
const step = z.object({
  explanation: z.string().min(10),
  output: z.string().regex(/^[a-z]{2,5}$/),
});
const reasoning = z.object({
  steps: z.array(step).min(2).max(4),
  final_answer: z.number().min(3).max(8),
  kind: z.enum(["sum", "product"]),
  at: z.iso.datetime(),
  day: z.iso.date(),
  mail: z.email(),
  id: z.uuid(),
  link: z.url(),
  note: z.string().nullable(),
  shape: z.discriminatedUnion("type", [
    z.object({ type: z.literal("circle"), radius: z.number().positive() }),
    z.object({ type: z.literal("square"), side: z.int().multipleOf(5) }),
  ]),
  version: z.literal(2),
  pair: z.union([z.string(), z.number()]),
});
interface Category {
  readonly name: string;
  readonly children: Category[];
}
const category: z.ZodType<Category> = z.object({
  name: z.string(),
  get children() {
    return z.array(category);
  },
});

/** The charged output tokens of the last request, and those that the upstream delivered. */
async function charged(): Promise<{ output: number | null; delivered: number | undefined }> {
  const end = (await relay.ends()).at(-1);
  expect(end?.outcome).toBe("settled");
  return {
    output: end?.output ?? null,
    delivered: sandbox.requestLog.entries.at(-1)?.outputTokens,
  };
}

test("openai: parse() returns what a zod schema describes, and its tokens are charged", async () => {
  const completion = await client.chat.completions.parse({
    model: "RelayV1",
    messages: say("Solve 8x + 31 = 2."),
    response_format: zodResponseFormat(reasoning, "reasoning"),
  });
  const { parsed } = completion.choices[0]?.message ?? {};
  expect(reasoning.parse(parsed)).toEqual(parsed);
  expect(parsed?.steps).toHaveLength(2);
  const { output, delivered } = await charged();
  expect(output).toBe(delivered);
  expect(output).toBe(completion.usage?.completion_tokens);
});

test("openai: a recursive schema is parsed", async () => {
  const response_format = zodResponseFormat(z.object({ root: category }), "categories");
  const completion = await client.chat.completions.parse({
    model: "RelayV1",
    messages: say("List them."),
    response_format,
  });
  expect(completion.choices[0]?.message.parsed?.root.children.length).toBeLessThan(3);
});

test("openai: a streamed document arrives in chunks and is parsed at the end", async () => {
  const stream = client.chat.completions.stream({
    model: "RelayV1",
    messages: say("Solve it."),
    response_format: zodResponseFormat(reasoning, "reasoning"),
  });
  let pieces = 0;
  stream.on("content.delta", () => {
    pieces++;
  });
  const completion = await stream.finalChatCompletion();
  expect(pieces).toBeGreaterThan(5);
  expect(reasoning.safeParse(completion.choices[0]?.message.parsed).success).toBe(true);
});

test("openai: an output cap cuts the document, and parse() reports it", async () => {
  const cut = client.chat.completions.parse({
    model: "RelayV1",
    messages: say("Solve it."),
    response_format: zodResponseFormat(reasoning, "reasoning"),
    max_tokens: 7,
  });
  await expect(cut).rejects.toBeInstanceOf(LengthFinishReasonError);
  expect(await charged()).toEqual({ output: 7, delivered: 7 });
});

const forecast = z.object({
  city: z.string(),
  days: z.int().min(1).max(7),
  unit: z.enum(["celsius", "fahrenheit"]),
});

test("openai: runTools calls the function with parsed arguments and ends with a text about its result", async () => {
  const given: unknown[] = [];
  const runner = client.chat.completions.runTools({
    model: "RelayV1",
    messages: say("What is the weather in Paris?"),
    tools: [
      zodFunction({
        name: "get_weather",
        parameters: forecast,
        function: (input) => {
          given.push(input);
          return { sky: "clear" };
        },
      }),
    ],
  });
  const content = await runner.finalContent();
  expect(content).toContain("sandbox");
  expect(content).toContain('{"sky":"clear"}');
  expect(given).toHaveLength(1);
  expect(forecast.safeParse(given[0]).success).toBe(true);
});

test("openai: streamed calls arrive as index, id and name, then their arguments in chunks", async () => {
  const stream = await client.chat.completions.create({
    model: "RelayV1",
    messages: say("Use get_weather and get_time."),
    tools: ["get_weather", "get_time"].map((name) => zodFunction({ name, parameters: forecast })),
    tool_choice: "required",
    stream: true,
    stream_options: { include_usage: true },
  });
  const calls: { id: string; name: string | undefined; arguments: string[] }[] = [];
  let finish: string | null = null;
  for await (const { choices } of stream) {
    finish = choices[0]?.finish_reason ?? finish;
    for (const { index, id, function: called } of choices[0]?.delta.tool_calls ?? []) {
      if (id !== undefined) calls[index] = { id, name: called?.name, arguments: [] };
      calls[index]?.arguments.push(called?.arguments ?? "");
    }
  }
  expect(finish).toBe("tool_calls");
  expect(calls.map(({ name }) => name)).toEqual(["get_weather", "get_time"]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  for (const call of calls) {
    expect(call.arguments.length).toBeGreaterThan(3);
    expect(forecast.safeParse(JSON.parse(call.arguments.join(""))).success).toBe(true);
  }
  const { output, delivered } = await charged();
  expect(output).toBe(delivered);
});

test("openai: JSON mode returns an object, and a schema that recurses forever is a 400 that names the field", async () => {
  const completion = await client.chat.completions.create({
    model: "RelayV1",
    messages: say("Answer in JSON."),
    response_format: { type: "json_object" },
  });
  expect(JSON.parse(completion.choices[0]?.message.content ?? "")).toBeTypeOf("object");
  const endless = { type: "object", properties: { again: { $ref: "#" } }, required: ["again"] };
  const refused = client.chat.completions.create({
    model: "RelayV1",
    messages: say("x"),
    response_format: { type: "json_schema", json_schema: { name: "endless", schema: endless } },
  });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: "invalid_tool_schema",
    param: "response_format.json_schema.schema",
  });
});

test("ai: generateObject, streamObject and an output schema return what the schema describes", async () => {
  const { object } = await generateObject({
    model: chatModel,
    schema: reasoning,
    prompt: "Solve it.",
  });
  expect(reasoning.parse(object)).toEqual(object);
  const streamed = streamObject({ model: chatModel, schema: forecast, prompt: "The weather." });
  for await (const _ of streamed.partialObjectStream);
  expect(forecast.safeParse(await streamed.object).success).toBe(true);
  const { output } = await generateText({
    model: chatModel,
    output: Output.object({ schema: forecast }),
    prompt: "The weather.",
  });
  expect(forecast.safeParse(output).success).toBe(true);
});

test("ai: a tool that must be called is called", async () => {
  const get_weather = tool({
    description: "The weather in a city",
    inputSchema: forecast,
    execute: async () => ({ sky: "clear" }),
  });
  const forced = await generateText({
    model: chatModel,
    tools: { get_weather },
    prompt: "Hello.",
    toolChoice: "required",
  });
  expect(forced.toolCalls).toMatchObject([{ toolName: "get_weather" }]);
  expect(forecast.safeParse(forced.toolCalls[0]?.input).success).toBe(true);
});
