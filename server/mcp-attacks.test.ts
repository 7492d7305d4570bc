/** What a hostile or broken client could send to `/mcp`, over real connections. */
import { request } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { MCP_BATCH_MAX } from "@/lib/contract/mcp";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";

const sandbox = await opened(startQuickSandbox());
const web = await opened(serveFind((method, path) => relay.find(method, path)));
const { origin } = web;
const relay: TestRelay = await opened(
  openTestRelay({ channels: [sandbox.channel], publicUrl: origin }),
);
let known = 0;

beforeEach(async () => {
  known = (await relay.ends()).length;
});

const headers = {
  authorization: "Bearer good",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function send(body: unknown, more: Record<string, string> = {}, method = "POST") {
  const answer = await fetch(`${origin}/mcp`, {
    method,
    headers: { ...headers, ...more },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const image = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: {
    name: "generate_image",
    arguments: { model: "super-relay-img", prompt: "A fox", size: "512x512" },
  },
});

const newEnds = async () => (await relay.ends()).slice(known);

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "a client of %s is answered in its version",
  async (protocolVersion) => {
    const clientInfo = { name: "old", version: "1" };
    const { status, text } = await send({
      ...ping,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo },
    });
    expect(status).toBe(200);
    expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
    expect(text).toContain('"serverInfo":{"name":"relay"');
  },
);

test("without a key: 401 with the challenge that clients look for, as a message of JSON-RPC", async () => {
  for (const authorization of ["", "Bearer bad"]) {
    const answer = await send(ping, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_000, data: { code: expect.stringContaining("api_key") } },
    });
  }
});

test("there are no streams to open and no sessions to end: GET and DELETE are 405", async () => {
  for (const method of ["GET", "DELETE", "PUT"]) {
    const { status, headers: given } = await send(null, {}, method);
    expect([status, given.get("allow")]).toEqual([405, "POST"]);
  }
});

test("a page of another site is refused, also when its name leads here", async () => {
  for (const foreign of ["https://evil.example", "null", `${origin}.evil.example`])
    expect((await send(image(1), { origin: foreign })).status, foreign).toBe(403);
  expect((await send(ping, { origin })).status).toBe(200);
  expect(await newEnds()).toEqual([]);
});

test("bodies that are too large, too deep, too many, or no messages are refused before a tool runs", async () => {
  const deep = `${'{"a":'.repeat(500)}1${"}".repeat(500)}`;
  const cases: [what: string, body: unknown, status: number][] = [
    ["too large", { ...image(1), pad: "x".repeat(4 * 1024 * 1024) }, 413],
    ["too deep", deep, 400],
    ["too many", Array.from({ length: MCP_BATCH_MAX + 1 }, (_, at) => image(at)), 400],
    ["a huge batch", Array(20_000).fill(1), 400],
    ["none", [], 400],
    ["no JSON", "{", 400],
    ["a number", "7", 400],
    ["a list of numbers", [1, 2], 400],
    ["an unknown version", { ...ping, jsonrpc: "1.0" }, 400],
  ];
  for (const [what, body, status] of cases) expect((await send(body)).status, what).toBe(status);
  const broken = await send({ ...image(1), params: { name: 7, arguments: [] } });
  expect(broken.text).toMatch(/"error"/);
  expect(await newEnds()).toEqual([]);
});

test("a batch of an older client runs each of its orders once, within the account's limits", async () => {
  const { text } = await send(Array.from({ length: MCP_BATCH_MAX }, (_, at) => image(at)));
  const ends = await newEnds();
  expect(ends.map(({ outcome }) => outcome)).toEqual(Array(MCP_BATCH_MAX).fill("settled"));
  // Each result has its link twice: as text and as a value.
  expect(text.match(/\/v1\/media\//g)).toHaveLength(2 * MCP_BATCH_MAX);
});

test("a client that leaves while its image is made is charged once, or not at all", async () => {
  for (const wait of [0, 5, 20, 60]) {
    known = (await relay.ends()).length;
    await new Promise<void>((resolve) => {
      const sent = request(`${origin}/mcp`, { method: "POST", headers });
      sent.on("error", () => {});
      sent.on("close", () => resolve());
      sent.end(JSON.stringify(image(1)), () => setTimeout(() => sent.destroy(), wait));
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ends = await newEnds();
    expect(ends.length).toBeLessThanOrEqual(1);
    expect((await relay.balance()).held).toBe(0n);
  }
});

test("a connection that the client closes is not said to stay open", async () => {
  const answer = await new Promise<string | undefined>((resolve, reject) => {
    const own = { ...headers, connection: "close" };
    const sent = request(`${origin}/mcp`, { method: "POST", headers: own }, (response) => {
      response.resume().once("close", () => resolve(response.headers.connection));
    });
    sent.on("error", reject).end(JSON.stringify({ ...ping, method: "tools/list" }));
  });
  expect(answer).toBe("close");
});

test("a subscription is not opened", async () => {
  const { text } = await send({ ...ping, method: "subscriptions/listen", params: {} });
  expect(text).toContain('"error"');
});
