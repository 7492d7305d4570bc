/**
 * The unmodified `@anthropic-ai/sdk` and `@ai-sdk/anthropic` packages from npm, against the running
 * server.
 */
import type { AddressInfo } from "node:net";
import { type AnthropicProvider, createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { createWebServer, type WebServer } from "./web-server";

let sandbox: Sandbox;
let relay: TestRelay;
let web: WebServer;
let client: Anthropic;
let provider: AnthropicProvider;
let origin: string;
let calls = 0;
/** The operations before the test. */
let known = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ pace: 0 });
  relay = await openTestRelay({ channels: [sandbox.channel] });
  web = createWebServer({
    find: (method, path) => {
      calls++;
      return relay.find(method, path);
    },
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  client = clientWith("good");
  provider = createAnthropic({ apiKey: "good", baseURL: `${origin}/v1` });
});
beforeEach(async () => {
  known = (await relay.ends()).length;
  calls = 0;
});
afterAll(async () => {
  web.server.close();
  web.server.closeAllConnections();
  await relay.close();
  await sandbox.close();
});

const clientWith = (apiKey: string, maxRetries = 2) =>
  new Anthropic({ apiKey, maxRetries, baseURL: origin });

/** The charges since the test began: one for each call of the model. */
async function expectCharges(count: number) {
  const ends = (await relay.ends()).slice(known);
  expect(ends.map(({ outcome }) => outcome)).toEqual(Array(count).fill("settled"));
  const { rows } = await relay.pool.query("select dialect from operation order by id offset $1", [
    known,
  ]);
  expect(rows).toEqual(Array(count).fill({ dialect: "messages" }));
}

const say = (content: string) => [{ role: "user" as const, content }];
const model = "RelayV1";
const schema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
};
const weather = { name: "get_weather", description: "The weather", input_schema: schema };

describe("@anthropic-ai/sdk", () => {
  test("a message has its text, its usage and its request's id", async () => {
    const { data, response, request_id } = await client.messages
      .create({ model, max_tokens: 100, messages: say("2+3") })
      .withResponse();
    expect(data).toMatchObject({
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
    });
    expect(data.content).toMatchObject([
      { type: "text", text: expect.stringContaining("2+3 = 5") },
    ]);
    expect(data.usage.input_tokens).toBeGreaterThan(0);
    expect(data.usage.output_tokens).toBeGreaterThan(0);
    expect(request_id).toMatch(/^req_/);
    expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
    expect(response.headers.get("anthropic-ratelimit-requests-limit")).toBe("1000000");
    await expectCharges(1);
  });

  test("it streams, and its helper assembles the message", async () => {
    const events = [];
    const request = { model, max_tokens: 100, messages: say("hello") };
    for await (const event of await client.messages.create({ ...request, stream: true }))
      events.push(event.type);
    expect(events[0]).toBe("message_start");
    expect(events.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    const stream = client.messages.stream(request);
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([{ text: expect.stringContaining("sandbox") }]);
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    await expectCharges(2);
  });

  test.each([false, true])("tools are called over two turns (stream: %s)", async (isStream) => {
    const ask = (messages: Anthropic.MessageParam[]) => {
      const request = { model, max_tokens: 500, messages, tools: [weather] };
      return isStream
        ? client.messages.stream(request).finalMessage()
        : client.messages.create(request);
    };
    const messages: Anthropic.MessageParam[] = say("Use get_weather for Rome.");
    const first = await ask(messages);
    expect(first.stop_reason).toBe("tool_use");
    const use = first.content.find((block) => block.type === "tool_use");
    expect(use).toMatchObject({ name: "get_weather", input: { city: expect.any(String) } });
    const result = { type: "tool_result" as const, tool_use_id: use?.id ?? "", content: "sunny" };
    const second = await ask([
      ...messages,
      { role: "assistant", content: first.content },
      { role: "user", content: [result] },
    ]);
    expect(second.stop_reason).toBe("end_turn");
    expect(JSON.stringify(second.content)).toContain("sunny");
    await expectCharges(2);
  });

  test("it lists models, finds one, and counts tokens without a charge", async () => {
    const models = [];
    for await (const listed of client.models.list()) models.push(listed);
    expect(models[0]).toMatchObject({ id: model, type: "model", display_name: model });
    expect(Date.parse(models[0]?.created_at ?? "")).toBeGreaterThan(0);
    expect(await client.models.retrieve("relay-v1")).toMatchObject({ id: model, type: "model" });
    const { data, response } = await client.messages
      .countTokens({ model, messages: say("hello"), tools: [weather] })
      .withResponse();
    expect(data.input_tokens).toBeGreaterThan(50);
    expect(response.headers.get("x-relay-estimate")).toBe("upper-bound");
    await expectCharges(0);
  });
});

describe("@anthropic-ai/sdk, refused", () => {
  test("each refusal has its own error class, and those that a retry cannot help are sent once", async () => {
    const create = (anthropic: Anthropic, fields: object = {}) =>
      anthropic.messages.create({ model, max_tokens: 100, messages: say("hi"), ...fields });
    const refused = async (
      run: () => Promise<unknown>,
      type: abstract new (...args: never[]) => Error,
      expected: object,
    ) => {
      calls = 0;
      const error = await run().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject(expected);
      expect((error as { requestID: string }).requestID).toMatch(/^req_/);
      expect(calls).toBe(1);
    };
    await refused(() => create(client, { max_tokens: 0 }), Anthropic.BadRequestError, {
      status: 400,
      type: "invalid_request_error",
      error: { error: { param: "max_tokens" } },
    });
    await refused(() => create(clientWith("bad")), Anthropic.AuthenticationError, {
      status: 401,
      type: "authentication_error",
    });
    await refused(() => create(client, { model: "gpt-4" }), Anthropic.NotFoundError, {
      status: 404,
      type: "not_found_error",
    });
    await refused(() => create(client, { messages: say("[[garbage]]") }), Anthropic.APIError, {
      status: 502,
      type: "api_error",
    });
    const { principal } = relay.setting;
    relay.setting.principal = { ...principal, requestsPerMinute: 1 };
    await refused(() => create(clientWith("good", 0)), Anthropic.RateLimitError, {
      status: 429,
      type: "rate_limit_error",
    });
    relay.setting.principal = principal;
  });

  test("too few points is an error of status 402, not retried", async () => {
    const poor = await openTestRelay({ channels: [sandbox.channel], points: "0" });
    let tries = 0;
    const fetch: typeof globalThis.fetch = (url, init) => {
      tries++;
      const headers = Object.fromEntries(new Headers(init?.headers));
      return poor.fetch(new URL(String(url)).pathname, {
        ...init,
        headers: { ...headers, authorization: "Bearer good" },
      });
    };
    const anthropic = new Anthropic({ apiKey: "good", baseURL: "http://relay.test", fetch });
    const error = await anthropic.messages
      .create({ model, max_tokens: 100, messages: say("hi") })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({
      status: 402,
      type: "billing_error",
      error: { error: { code: "insufficient_points", available_points: 0 } },
    });
    expect(tries).toBe(1);
    await poor.close();
  });

  test("a stream that breaks off is an error for the client, and not charged", async () => {
    const read = async () => {
      const request = { model, max_tokens: 100, messages: say("[[truncate]]") };
      for await (const _ of await client.messages.create({ ...request, stream: true }));
    };
    await expect(read()).rejects.toMatchObject({
      type: "api_error",
      error: { error: { code: "upstream_failed" }, request_id: expect.stringMatching(/^req_/) },
    });
    expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "released" });
  });
});

describe("@ai-sdk/anthropic", () => {
  const tools = {
    get_weather: tool({
      description: "The weather",
      inputSchema: jsonSchema<{ city: string }>(schema),
      execute: async () => "sunny",
    }),
  };

  test("generateText answers, with usage", async () => {
    const { text, usage, finishReason } = await generateText({
      model: provider(model),
      prompt: "2+3",
      maxOutputTokens: 100,
    });
    expect(text).toContain("2+3 = 5");
    expect(finishReason).toBe("stop");
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
    await expectCharges(1);
  });

  test("streamText calls a tool and goes on with its result", async () => {
    const answer = streamText({
      model: provider(model),
      prompt: "Use get_weather for Rome.",
      maxOutputTokens: 500,
      stopWhen: stepCountIs(3),
      tools,
    });
    let text = "";
    for await (const piece of answer.textStream) text += piece;
    expect(text).toContain("sunny");
    expect((await answer.steps).map(({ finishReason }) => finishReason)).toEqual([
      "tool-calls",
      "stop",
    ]);
    expect((await answer.totalUsage).inputTokens).toBeGreaterThan(0);
    await expectCharges(2);
  });

  test("generateObject answers in the form of its schema", async () => {
    const { object } = await generateObject({
      model: provider(model),
      schema: jsonSchema<{ city: string }>(schema),
      prompt: "A city",
      maxOutputTokens: 500,
    });
    expect(object).toMatchObject({ city: expect.any(String) });
    await expectCharges(1);
  });
});
