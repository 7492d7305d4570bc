/**
 * What single libraries show of the API beside the situations that all are brought into
 * (libraries.test.ts): the unmodified `openai`, `@anthropic-ai/sdk` and `ai` packages from npm.
 */
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStage } from "@/testing/clients/libraries/situations";
import { citySchema, weather } from "@/testing/clients/libraries/text-library";
import { opened } from "@/testing/unit/opened";

const stage = await opened(openStage());
beforeEach(() => stage.begin());

const model = "RelayV1";
const say = (content: string) => [{ role: "user" as const, content }];

describe("openai", () => {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ apiKey: "good", baseURL: `${stage.origin}/v1` });
  });

  test("it lists models and finds one by its alias", async () => {
    const models = [];
    for await (const listed of client.models.list()) models.push(listed);
    expect(models).toHaveLength(8);
    expect(models[0]).toMatchObject({
      id: model,
      object: "model",
      owned_by: "relay",
      aliases: ["relay-v1"],
      pricing: { input: 80, output: 800 },
    });
    expect(await client.models.retrieve("relay-v1")).toMatchObject({ id: model, family: "text" });
    await expect(client.models.retrieve("gpt-4")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });

  test("a completion has the sum of its tokens, and its points in a header", async () => {
    const { data, response } = await client.chat.completions
      .create({ model, messages: say("2+3") })
      .withResponse();
    expect(data.usage?.total_tokens).toBe(
      (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
    );
    expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
  });

  test("it streams without usage, and with usage in a last chunk of its own", async () => {
    const request = { model: "relay-v1", messages: say("hello"), stream: true } as const;
    for await (const chunk of await client.chat.completions.create(request)) {
      expect(chunk.choices).toHaveLength(1);
      expect(chunk.usage ?? null).toBeNull();
    }
    const chunks = [];
    const options = { ...request, stream_options: { include_usage: true } };
    for await (const chunk of await client.chat.completions.create(options)) chunks.push(chunk);
    const last = chunks.pop();
    expect(last?.choices).toEqual([]);
    expect(last?.usage).toMatchObject({
      completion_tokens: expect.any(Number),
      points: expect.any(Number),
    });
    expect(chunks.every(({ usage }) => usage === null)).toBe(true);
  });

  test("a client whose patience ends is charged once for what the upstream reported", async () => {
    const gone = client.chat.completions.create(
      { model, messages: say("[[delay:0.3]] [[tokens:40]]") },
      { timeout: 100, maxRetries: 0 },
    );
    await expect(gone).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    expect(await stage.ends()).toMatchObject([
      { outcome: "settled", output: 40, isAbandoned: true },
    ]);
  });
});

describe("@anthropic-ai/sdk", () => {
  let client: Anthropic;
  beforeAll(() => {
    client = new Anthropic({ apiKey: "good", baseURL: stage.origin });
  });
  const request = { model, max_tokens: 100, messages: say("hello") };

  test("a message says what it is, and its headers the points and the key's limit", async () => {
    const { data, response } = await client.messages.create(request).withResponse();
    expect(data).toMatchObject({
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
      content: [{ type: "text", text: expect.stringContaining("sandbox") }],
    });
    expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
    expect(response.headers.get("anthropic-ratelimit-requests-limit")).toBe("1000000");
  });

  test("a stream begins and ends with the events of a message", async () => {
    const events = [];
    for await (const event of await client.messages.create({ ...request, stream: true }))
      events.push(event.type);
    expect(events[0]).toBe("message_start");
    expect(events.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  });

  test("errors name their type, their field and their request", async () => {
    const typeOf = async (fields: object) => {
      const error: unknown = await client.messages
        .create({ ...request, ...fields })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Anthropic.APIError);
      return error;
    };
    expect(await typeOf({ max_tokens: 0 })).toMatchObject({
      type: "invalid_request_error",
      error: { error: { param: "max_tokens" } },
    });
    expect(await typeOf({ model: "gpt-4" })).toMatchObject({ type: "not_found_error" });
    const broken = client.messages.stream({ ...request, messages: say("[[truncate]]") });
    await expect(broken.finalMessage()).rejects.toMatchObject({
      type: "api_error",
      error: { error: { code: "upstream_failed" }, request_id: expect.stringMatching(/^req_/) },
    });
  });

  test("it lists models, finds one, and counts tokens without a charge", async () => {
    const models = [];
    for await (const listed of client.models.list()) models.push(listed);
    expect(models[0]).toMatchObject({ id: model, type: "model", display_name: model });
    expect(Date.parse(models[0]?.created_at ?? "")).toBeGreaterThan(0);
    expect(await client.models.retrieve("relay-v1")).toMatchObject({ id: model, type: "model" });
    const tools = [{ ...weather, input_schema: citySchema }];
    const { data, response } = await client.messages
      .countTokens({ model, messages: say("hello"), tools })
      .withResponse();
    expect(data.input_tokens).toBeGreaterThan(50);
    expect(response.headers.get("x-relay-estimate")).toBe("upper-bound");
    await stage.expectCharges(0, "messages");
  });
});

test.each(["its default", "chat"])(
  "ai: %s model goes on from the messages of an earlier answer, with references to what is stored",
  async (kind) => {
    const provider = createOpenAI({ apiKey: "good", baseURL: `${stage.origin}/v1` });
    const get_weather = tool({
      ...{ description: weather.description, inputSchema: jsonSchema(citySchema) },
      execute: async () => "22 degrees",
    });
    const terms = {
      model: kind === "chat" ? provider.chat(model) : provider(model),
      tools: { get_weather },
      stopWhen: stepCountIs(3),
    };
    const first = say("Use get_weather for Rome.");
    const { response } = await generateText({ ...terms, messages: first });
    const messages = [...first, ...response.messages, ...say("Use get_weather for Oslo.")];
    expect(await streamText({ ...terms, messages }).text).toContain("22 degrees");
    await stage.expectCharges(4, kind === "chat" ? null : "responses");
  },
);
