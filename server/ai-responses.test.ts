/**
 * The unmodified `@ai-sdk/openai` package from npm on the running server: its default model, which
 * calls the Responses API, and its chat model.
 */
import type { AddressInfo } from "node:net";
import { createOpenAI, type OpenAIProvider } from "@ai-sdk/openai";
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { createWebServer, type WebServer } from "./web-server";

let sandbox: Sandbox;
let relay: TestRelay;
let web: WebServer;
let provider: OpenAIProvider;
/** The operations before the test. */
let known = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ pace: 0 });
  relay = await openTestRelay({ channels: [sandbox.channel] });
  web = createWebServer({
    find: (method, path) => relay.find(method, path),
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}/v1`;
  provider = createOpenAI({ apiKey: "good", baseURL });
});
beforeEach(async () => {
  known = (await relay.ends()).length;
});
afterAll(async () => {
  web.server.close().closeAllConnections();
  await relay.close();
  await sandbox.close();
});

/** The charges since the test began: one for each call of the model. */
async function expectCharges(count: number, dialect: string | null) {
  const ends = (await relay.ends()).slice(known);
  expect(ends.map(({ outcome }) => outcome)).toEqual(Array(count).fill("settled"));
  const { rows } = await relay.pool.query("select dialect from operation order by id offset $1", [
    known,
  ]);
  expect(rows).toEqual(Array(count).fill({ dialect }));
}

const NAME = "RelayV1";
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = {
  get_weather: tool({
    description: "The weather of a city",
    inputSchema: jsonSchema<{ city: string }>({ ...schema, type: "object" }),
    execute: async ({ city }) => `22 degrees in ${city}`,
  }),
};

const kinds = [
  ["default", "responses", () => provider(NAME)],
  ["chat", null, () => provider.chat(NAME)],
] as const;
describe.each(kinds)("the %s model", (_kind, dialect, modelOf) => {
  test("text arrives whole and streamed, with its usage", async () => {
    const whole = await generateText({ model: modelOf(), prompt: "2+3" });
    expect(whole.text).toContain("2+3 = 5");
    expect(whole.usage.outputTokens).toBeGreaterThan(0);
    const stream = streamText({ model: modelOf(), prompt: "hello" });
    let text = "";
    for await (const part of stream.textStream) text += part;
    expect(text).toContain("sandbox");
    expect((await stream.usage).totalTokens).toBeGreaterThan(0);
    expect(await stream.finishReason).toBe("stop");
    await expectCharges(2, dialect);
  });

  test("a tool is used in several steps, with references to what is stored", async () => {
    const whole = await generateText({
      model: modelOf(),
      prompt: "Use get_weather for Rome.",
      tools,
      stopWhen: stepCountIs(3),
    });
    expect(whole.steps).toHaveLength(2);
    expect(whole.text).toContain("22 degrees");
    const stream = streamText({
      model: modelOf(),
      messages: [
        { role: "user", content: "Use get_weather for Rome." },
        ...whole.response.messages,
        { role: "user", content: "Use get_weather for Oslo." },
      ],
      tools,
      stopWhen: stepCountIs(3),
    });
    expect(await stream.text).toContain("22 degrees");
    await expectCharges(4, dialect);
  });

  test("an object is made by a schema", async () => {
    const { object } = await generateObject({
      model: modelOf(),
      prompt: "Rome",
      schema: jsonSchema<{ city: string }>({ ...schema, type: "object" }),
    });
    expect(object).toEqual({ city: expect.any(String) });
    await expectCharges(1, dialect);
  });

  test("a stream that breaks off is an error", async () => {
    const errors: unknown[] = [];
    const stream = streamText({
      model: modelOf(),
      prompt: "[[truncate]]",
      onError: ({ error }) => void errors.push(error),
    });
    await stream.consumeStream();
    expect([errors.length > 0, await stream.finishReason]).toEqual([true, "error"]);
  });
});
