/** The unmodified `openai` package from npm, against the running server. */
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { createWebServer, type WebServer } from "./web-server";

let sandbox: Sandbox;
let relay: TestRelay;
let web: WebServer;
let client: OpenAI;
let calls = 0;

beforeAll(async () => {
  sandbox = await startSandbox();
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
  client = clientWith("good");
});
afterAll(async () => {
  web.server.close();
  web.server.closeAllConnections();
  await relay.close();
  await sandbox.close();
});

function clientWith(apiKey: string, maxRetries = 2): OpenAI {
  return new OpenAI({
    apiKey,
    maxRetries,
    baseURL: `http://127.0.0.1:${(web.server.address() as AddressInfo).port}/v1`,
  });
}

const say = (content: string) => [{ role: "user" as const, content }];

test("it lists models and finds one by its alias", async () => {
  const models = [];
  for await (const model of client.models.list()) models.push(model);
  expect(models).toHaveLength(8);
  expect(models[0]).toMatchObject({
    id: "RelayV1",
    object: "model",
    owned_by: "relay",
    aliases: ["relay-v1"],
    pricing: { input: 80, output: 800 },
  });
  expect(await client.models.retrieve("relay-v1")).toMatchObject({ id: "RelayV1", family: "text" });
  await expect(client.models.retrieve("gpt-4")).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
  });
});

test("a completion has its usage, its id and its request id", async () => {
  const { data, response, request_id } = await client.chat.completions
    .create({ model: "RelayV1", messages: say("2+3") })
    .withResponse();
  expect(data.choices[0]?.message.content).toContain("2+3 = 5");
  expect(data.usage?.total_tokens).toBe(
    (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
  );
  expect(request_id).toMatch(/^req_/);
  expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
});

test("it streams without usage and with usage", async () => {
  let text = "";
  for await (const chunk of await client.chat.completions.create({
    model: "relay-v1",
    messages: say("hello"),
    stream: true,
  })) {
    expect(chunk.choices).toHaveLength(1);
    expect(chunk.usage ?? null).toBeNull();
    text += chunk.choices[0]?.delta.content ?? "";
  }
  expect(text).toContain("sandbox");
  const chunks = [];
  const options = {
    model: "relay-v1",
    messages: say("hello"),
    stream: true,
    stream_options: { include_usage: true },
  } as const;
  for await (const chunk of await client.chat.completions.create(options)) chunks.push(chunk);
  const last = chunks.pop();
  expect(last?.choices).toEqual([]);
  expect(last?.usage).toMatchObject({
    completion_tokens: expect.any(Number),
    points: expect.any(Number),
  });
  expect(chunks.every(({ usage }) => usage === null)).toBe(true);
});

test("the streaming helper assembles the whole answer", async () => {
  const final = await client.chat.completions
    .stream({ model: "RelayV1", messages: say("hello") })
    .finalChatCompletion();
  expect(final.choices[0]).toMatchObject({
    finish_reason: "stop",
    message: { role: "assistant", content: expect.stringContaining("sandbox") },
  });
});

test("each refusal has its own error class, and those that a retry cannot help are sent once", async () => {
  const create = (openai: OpenAI, body: object = {}) =>
    openai.chat.completions.create({ model: "RelayV1", messages: say("hi"), ...body });
  const refused = async (
    run: () => Promise<unknown>,
    type: abstract new (...args: never[]) => Error,
    expected: object,
    times = 1,
  ) => {
    calls = 0;
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(expected);
    expect((error as { requestID: string }).requestID).toMatch(/^req_/);
    expect(calls).toBe(times);
  };
  await refused(() => create(client, { n: 2 }), OpenAI.BadRequestError, {
    status: 400,
    code: "n_not_supported",
    param: "n",
  });
  await refused(() => create(clientWith("bad")), OpenAI.AuthenticationError, {
    status: 401,
    code: "invalid_api_key",
  });
  await refused(() => create(client, { model: "gpt-4" }), OpenAI.NotFoundError, {
    status: 404,
    code: "model_not_found",
  });
  await refused(
    () => create(client, { messages: say("[[garbage]]") }),
    OpenAI.InternalServerError,
    {
      status: 502,
      code: "upstream_bad_response",
    },
  );
  await refused(
    () => create(client, { messages: say("[[truncate]]") }),
    OpenAI.InternalServerError,
    {
      status: 502,
      code: "upstream_failed",
    },
  );
  await refused(
    () => create(clientWith("good", 1), { messages: say("[[fail]]") }),
    OpenAI.InternalServerError,
    { status: 502 },
    2,
  );
  const { principal } = relay.setting;
  relay.setting.principal = { ...principal, models: ["Super-Relay"] };
  await refused(() => create(client), OpenAI.PermissionDeniedError, {
    status: 403,
    code: "model_not_allowed",
  });
  relay.setting.principal = { ...principal, requestsPerMinute: 1 };
  await refused(() => create(clientWith("good", 0)), OpenAI.RateLimitError, {
    status: 429,
    code: "key_rate_limited",
  });
  relay.setting.principal = principal;
});

test("too few points is an error of status 402, not retried", async () => {
  const poor = await openTestRelay({ channels: [sandbox.channel], points: "0" });
  let tries = 0;
  const fetch: typeof globalThis.fetch = (url, init) => {
    tries++;
    return poor.fetch(new URL(String(url)).pathname, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: "Bearer good" },
    });
  };
  const openai = new OpenAI({ apiKey: "good", baseURL: "http://relay.test/v1", fetch });
  const error = await openai.chat.completions
    .create({ model: "RelayV1", messages: say("hi") })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error).toMatchObject({
    status: 402,
    code: "insufficient_points",
    error: { available_points: 0 },
  });
  expect(tries).toBe(1);
  await poor.close();
});

test("a stream that breaks off is an error for the client", async () => {
  const stream = await client.chat.completions.create({
    model: "RelayV1",
    messages: say("[[truncate]]"),
    stream: true,
  });
  const read = async () => {
    for await (const _ of stream);
  };
  await expect(read()).rejects.toMatchObject({ code: "upstream_failed" });
});

test("a client that disconnects is charged once for what the upstream reported", async () => {
  const { length } = await relay.ends();
  const stream = await client.chat.completions.create({
    model: "RelayV1",
    messages: say("[[tokens:40]]"),
    stream: true,
  });
  let chunks = 0;
  for await (const _ of stream) if (++chunks === 3) break;
  const gone = client.chat.completions.create(
    { model: "RelayV1", messages: say("[[delay:0.3]] [[tokens:40]]") },
    { timeout: 100, maxRetries: 0 },
  );
  await expect(gone).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  const ends = (await relay.ends()).slice(length);
  expect(ends).toMatchObject([
    { outcome: "settled", output: 40, isAbandoned: true },
    { outcome: "settled", output: 40, isAbandoned: true },
  ]);
});
