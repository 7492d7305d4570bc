/**
 * The metrics, traces and log of the whole product behind the real server: who may read them, what
 * they contain, and what they never contain.
 */

import { type IncomingHttpHeaders, request } from "node:http";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { createApiKey } from "@/lib/commands/api-keys";
import { createChannel } from "@/lib/commands/channels";
import { composition, type Relay } from "@/lib/composition/composition";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { connectDatabase, type Database } from "@/lib/db/client";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { log } from "@/lib/process/log";
import { createTestDatabase } from "@/testing/db/test-database";
import { type Listening, listen } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";
import {
  saying,
  sendJson,
  startUpstream,
  type TestUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { createWebServer } from "./web-server";

const secret = "a secret of at least thirty-two characters";
const folder = newFolder("observability");
let database: Database;
let tool: OpenLedger;
let relay: Relay;
let upstream: TestUpstream;
let web: Listening;
let key: string;
let collector: TestUpstream;
let traced = "";
const logged: string[] = [];

beforeAll(async () => {
  const url = await createTestDatabase();
  collector = await startUpstream((response, { text }) => {
    traced += text;
    sendJson(response, "{}");
  });
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    RELAY_LOG_LEVEL: "debug",
  });
  const lines = (log as unknown as Record<symbol, { write(line: string): void }>)[
    pino.symbols.streamSym
  ];
  if (lines) lines.write = (line) => void logged.push(line);
  Object.assign(process.env, { DATABASE_URL: url, RELAY_SECRET: secret, RELAY_DATA_DIR: folder });
  const canary = saying("canary-answer", usageOf(10, 20));
  upstream = await startUpstream((response, request, count) =>
    request.body.max_tokens === 7
      ? sendJson(response, "{}", 503)
      : canary(response, request, count),
  );
  database = connectDatabase(url, 2);
  tool = await createLedger({ databaseUrl: url, spoolFolder: folder, role: "tool" });
  const person = { email: "canary-person@example.com", welcomePoints: 30_000_000n };
  const { accountId } = await createAccount(database, tool, person);
  key = (
    await createApiKey({ database, ledger: tool }, "test", { accountId, name: "canary-key-name" })
  ).secret;
  relay = await composition();
  await relay.start();
  const channel = {
    protocol: "openai" as const,
    baseUrl: `${upstream.url}/v1`,
    apiKey: "canary-credential",
    models: { RelayV1: "x" },
  };
  await createChannel({ database, secrets: fixedSecrets(secret) }, "test", {
    name: 'a "channel"',
    ...channel,
    requestsPerSecond: 0,
    requestsPerMinute: 0,
  });
  const { server } = createWebServer({
    find: relay.find,
    pages: relay.pages,
    trustedProxies: parseTrustedProxies("127.0.0.1"),
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  web = await listen(server);
});
afterAll(async () => {
  await web.close();
  await relay.drain();
  await relay.close();
  await tool.close();
  await database.$disconnect();
  await upstream.close();
  await collector.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(path: string, headers: Record<string, string> = {}, body?: object): Promise<Answer> {
  const { port } = web;
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, headers, method: body ? "POST" : "GET" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });
}

const chat = (extra: object = {}, headers: Record<string, string> = {}) =>
  ask(
    "/v1/chat/completions",
    { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    {
      model: "RelayV1",
      messages: [{ role: "user", content: "canary-prompt" }],
      max_tokens: 100,
      ...extra,
    },
  );

async function figures(): Promise<Map<string, number>> {
  const { status, text } = await ask("/metrics");
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}

test("without a token the metrics are for direct requests from this machine; forwarded ones get 404", async () => {
  expect((await ask("/metrics")).headers["content-type"]).toContain("version=0.0.4");
  const forwarded: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.9" },
    { "x-forwarded-for": "127.0.0.1" },
    { forwarded: "for=1.1.1.1" },
    { via: "1.1 p" },
  ];
  for (const headers of forwarded) {
    const { status, text } = await ask("/metrics", headers);
    expect(status).toBe(404);
    expect(text).not.toContain("relay_");
  }
});

test("every line is a valid metric, and every family is declared before its samples", async () => {
  await chat();
  const { text } = await ask("/metrics");
  const told = new Set<string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, type, name = ""] = /^# (HELP|TYPE) (\w+) \S/.exec(line) ?? [];
    if (type) told.add(`${type} ${name}`);
    else {
      expect(line).toMatch(
        /^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? (-?[0-9.e+-]+|\+Inf)$/,
      );
      const family = (/^\w+/.exec(line)?.[0] ?? "").replace(/_(bucket|sum|count)$/, "");
      expect(told.has(`TYPE ${family}`) && told.has(`HELP ${family}`), line).toBe(true);
    }
  }
});

test("requests, charges, tokens, holds and upstream attempts are counted once each", async () => {
  const channel = 'channel="a \\"channel\\""';
  const before = await figures();
  expect((await chat()).status).toBe(200);
  expect((await chat({ stream: false, max_tokens: 7 })).status).toBeGreaterThanOrEqual(500);
  expect((await chat({ n: 2 })).status).toBe(400);
  await ask("/a-page");
  const after = await figures();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(grown('relay_requests_total{endpoint="createChatCompletion",status="200"}')).toBe(1);
  expect(grown('relay_requests_total{endpoint="createChatCompletion",status="400"}')).toBe(1);
  expect(grown('relay_request_seconds_count{endpoint="createChatCompletion"}')).toBe(3);
  expect(grown('relay_requests_total{endpoint="pages",status="404"}')).toBe(1);
  expect(grown('relay_tokens_total{direction="input"}')).toBe(10);
  expect(grown('relay_tokens_total{direction="output"}')).toBe(20);
  expect(grown("relay_points_settled_total")).toBeCloseTo((10 * 80 + 20 * 800) / 1e6, 9);
  expect(grown('relay_holds_total{family="text",result="held"}')).toBe(2);
  expect(grown('relay_ends_total{outcome="settled",result="done"}')).toBe(1);
  expect(grown('relay_ends_total{outcome="released",result="done"}')).toBe(1);
  expect(grown(`relay_upstream_requests_total{${channel},result="ok"}`)).toBe(1);
  expect(grown(`relay_upstream_seconds_count{${channel}}`)).toBe(1);
  expect(grown("relay_ledger_batch_items_sum")).toBe(4);
  expect(after.get(`relay_channel_resting{${channel}}`)).toBe(1);
  expect(after.get(`relay_channel_over_bound{${channel}}`)).toBe(0);
  expect(after.get(`relay_channel_without_usage{${channel}}`)).toBe(0);
  expect(after.get("relay_holds_open")).toBe(0);
  expect(after.get("relay_processes")).toBe(1);
  expect(after.get("relay_database_up")).toBe(1);
});

test("a request's trace contains its hold, its upstream call and its end, plain and streamed", async () => {
  const trace = { plain: "a".repeat(32), streamed: "b".repeat(32) };
  const namesIn = (traceId: string) =>
    [...traced.matchAll(/\{"traceId":"(\w+)".*?"name":"([^"]+)"/g)]
      .filter(([, id]) => id === traceId)
      .map(([, , name]) => name);
  const wanted = ["POST /v1/chat/completions", "hold", "settle", "upstream"];
  await chat({}, { traceparent: `00-${trace.plain}-${"c".repeat(16)}-01` });
  await chat({ stream: true }, { traceparent: `00-${trace.streamed}-${"c".repeat(16)}-01` });
  for (const id of Object.values(trace)) {
    await expect.poll(() => namesIn(id).sort(), { timeout: 10_000 }).toEqual(wanted);
  }
  expect(upstream.seen.slice(-2).map(({ headers }) => headers.traceparent?.slice(3, 35))).toEqual(
    Object.values(trace),
  );
});

test("at the log level debug each request writes a line with its id and outcome", async () => {
  const { headers } = await chat();
  const line = logged
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(({ requestId }) => requestId === headers["x-request-id"]);
  expect(line).toMatchObject({
    endpoint: "createChatCompletion",
    method: "POST",
    status: 200,
    ms: expect.any(Number),
    time: expect.any(String),
  });
});

test("no key, credential, email address, prompt or answer is in metrics, traces or log lines, and no label comes from a request", async () => {
  await ask("/v1/canary-path?q=canary-query", {
    authorization: "Bearer canary-bearer",
    cookie: "canary=canary",
  });
  await ask("/v1/models", { authorization: `Bearer ${key.slice(0, -1)}x` });
  for (const extra of [
    { model: "canary-model" },
    { max_tokens: 7 },
    { canary: "canary" },
    { stream: true },
    {},
  ])
    await chat(extra);
  const { text } = await ask("/metrics");
  await expect
    .poll(() => traced.match(/"POST \/v1\/chat\/completions"/g)?.length, { timeout: 10_000 })
    .toBeGreaterThan(8);
  expect(logged.length).toBeGreaterThan(8);
  for (const output of [text, traced, logged.join("")])
    expect(output).not.toMatch(/canary|sk-rly|acct_|example\.com/);
});
