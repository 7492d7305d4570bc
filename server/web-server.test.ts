import { request } from "node:http";
import { type BlockList, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isRelayError } from "@/lib/failures/relay-error";
import type { Endpoint, Outgoing } from "@/lib/http/exchange";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { listen } from "@/testing/stage/listen";
import { createWebServer, type WebServer } from "./web-server";

const servers: WebServer[] = [];
const sockets: Socket[] = [];
const reported: unknown[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { server } of servers.splice(0)) server.close().closeAllConnections();
  reported.length = 0;
});

async function serve(
  endpoint: Endpoint,
  readMilliseconds?: number,
  trustedProxies?: BlockList | null,
): Promise<number> {
  const web = createWebServer({
    find: (_method, path) => (path.startsWith("/v1") ? endpoint : undefined),
    answerPage: async (request, response) =>
      void response.end(`page for ${request.headers["x-relay-client-address"]}`),
    report: (error) => reported.push(error),
    readMilliseconds,
    trustedProxies,
  });
  servers.push(web);
  return (await listen(web.server)).port;
}

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  return socket;
}

/** Everything that a raw connection returns until it closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = open(port);
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

const text = (body: Outgoing["body"], headers = {}): Outgoing => ({
  status: 200,
  headers: { "content-type": "text/plain", ...headers },
  body,
});
const echo: Endpoint = async (incoming) => {
  try {
    let body = "";
    await incoming.receive(1000, (part) => {
      body += Buffer.from(part);
      return undefined;
    });
    return text(
      `${incoming.method} ${incoming.path} ${incoming.query} ${incoming.header("x-one")} ${body}`,
    );
  } catch (error) {
    return {
      status: isRelayError(error) && error.code === "body_too_large" ? 413 : 400,
      headers: {},
      body: "refused",
    };
  }
};

test("a request reaches its endpoint completely, and every other path goes to the pages", async () => {
  const port = await serve(echo);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/x?a=1`, {
    method: "POST",
    headers: { "X-One": "two" },
    body: "héllo",
  });
  expect(answer.headers.get("content-length")).toBe("25");
  expect(await answer.text()).toBe("POST /v1/x a=1 two héllo");
  expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe("page for 127.0.0.1");
  const absolute = await exchange(
    port,
    "GET http://elsewhere/v1/y?b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  );
  expect(absolute).toContain("GET /v1/y b undefined");
});

test("the pages get the connection's address, whatever the client claims", async () => {
  const port = await serve(echo);
  const head = "GET /usage HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
  expect(
    await exchange(
      port,
      `${head}x-relay-client-address: 203.0.113.9\r\nx-forwarded-for: 203.0.113.9\r\n\r\n`,
    ),
  ).toMatch(/page for 127\.0\.0\.1$/);
});

test("a body over the limit is refused at once, with or without a content-length, and its connection ends", async () => {
  const port = await serve(echo);
  const startedAt = performance.now();
  const announced = exchange(
    port,
    `POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n${"a".repeat(100)}`,
  );
  const chunked = exchange(
    port,
    `POST /v1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n${"a".repeat(2000)}\r\n`,
  );
  expect(await announced).toMatch(/^HTTP\/1.1 413 .*refused$/s);
  expect(await chunked).toMatch(/^HTTP\/1.1 413 .*refused$/s);
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

test("a client that disconnects inside its body leaves no request open", async () => {
  let ended = "";
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const port = await serve(async (incoming) => {
    begin();
    await incoming
      .receive(1000, () => undefined)
      .catch((error) => {
        ended = isRelayError(error) ? error.code : "other";
      });
    return text("late");
  });
  const socket = open(port);
  socket.write("POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc");
  await hasBegun;
  socket.destroy();
  await expect.poll(() => ended).toBe("invalid_json");
});

test("slow heads and slow bodies are disconnected", async () => {
  const port = await serve(echo, 400);
  const head = exchange(port, "POST /v1 HTTP/1.1\r\nhost: x\r\n");
  const body = exchange(port, "POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nab");
  await Promise.all([head, body]);
});

test("one address gets 200 connections, and an ended one frees its place", async () => {
  const port = await serve(echo);
  const ask = (socket: Socket) =>
    new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true)).once("close", () => resolve(false));
      socket.write("GET /v1 HTTP/1.1\r\nhost: x\r\n\r\n");
    });
  const all = Array.from({ length: 200 }, () => open(port));
  expect(await Promise.all(all.map(ask))).not.toContain(false);
  expect(await ask(open(port))).toBe(false);
  all[0]?.destroy();
  await expect.poll(() => ask(open(port))).toBe(true);
});

test("a trusted proxy may open any number of connections, and its forwarded addresses are used", async () => {
  const port = await serve(echo, undefined, parseTrustedProxies("127.0.0.0/8"));
  const all = Array.from({ length: 230 }, () => open(port));
  const answered = all.map(
    (socket) =>
      new Promise((resolve) =>
        socket.once("data", () => resolve(true)).once("close", () => resolve(false)),
      ),
  );
  for (const socket of all) socket.write("GET /v1 HTTP/1.1\r\nhost: x\r\n\r\n");
  expect(await Promise.all(answered)).not.toContain(false);
  const head = "GET /usage HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
  expect(await exchange(port, `${head}x-forwarded-for: 198.51.100.1, 203.0.113.9\r\n\r\n`)).toMatch(
    /page for 203\.0\.113\.9$/,
  );
});

test("chunks of a stream arrive one by one, and a client that disconnects ends its source", async () => {
  let returned = false;
  let release = () => {};
  async function* source() {
    try {
      yield "one\n";
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield "two\n";
    } finally {
      returned = true;
    }
  }
  const port = await serve(async () => text(source()));
  const answer = await fetch(`http://127.0.0.1:${port}/v1`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("one\n");
  await reader?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 50));
  release();
  await expect.poll(() => returned).toBe(true);
});

test("a source is read no faster than the client reads", async () => {
  let produced = 0;
  async function* source() {
    for (; produced < 2000; produced++) yield "x".repeat(64 * 1024);
  }
  const port = await serve(async () => text(source()));
  const slow = request({ port, host: "127.0.0.1", path: "/v1" });
  const response = await new Promise<import("node:http").IncomingMessage>((resolve) =>
    slow.once("response", resolve).end(),
  );
  response.pause();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(produced).toBeLessThan(500);
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  expect(bytes).toBe(2000 * 64 * 1024);
});

test("onGone is called for a client that disconnected, and not for an answer that ended", async () => {
  const gone: string[] = [];
  const port = await serve(async (incoming) => {
    incoming.onGone(() => gone.push(incoming.path));
    if (incoming.path === "/v1/slow")
      await new Promise((resolve) => incoming.onGone(() => resolve(null)));
    return text("done");
  });
  await (await fetch(`http://127.0.0.1:${port}/v1/fast`)).text();
  await fetch(`http://127.0.0.1:${port}/v1/slow`, { signal: AbortSignal.timeout(100) }).catch(
    () => {},
  );
  await expect.poll(() => gone).toEqual(["/v1/slow"]);
});

test("a failing endpoint or stream ends only its own answer, and is reported", async () => {
  const port = await serve(async ({ path }) => {
    if (path === "/v1/throw") throw new Error("secret reason");
    return text(
      (async function* () {
        yield "start";
        throw new Error("cut");
      })(),
    );
  });
  const thrown = await fetch(`http://127.0.0.1:${port}/v1/throw`);
  expect([thrown.status, await thrown.text()]).toEqual([500, "Internal server error.\n"]);
  await expect(
    fetch(`http://127.0.0.1:${port}/v1/cut`).then((answer) => answer.text()),
  ).rejects.toThrow();
  expect(reported).toHaveLength(2);
});

test("a page's failure says whether to retry", async () => {
  const broken = async (answer: Parameters<typeof createWebServer>[0]["answerPage"]) => {
    const web = createWebServer({
      find: () => undefined,
      answerPage: answer,
      report: (error) => reported.push(error),
    });
    servers.push(web);
    return fetch((await listen(web.server)).origin);
  };
  const thrown = await broken(async () => {
    throw new Error("broken");
  });
  expect([thrown.status, thrown.headers.get("x-should-retry")]).toEqual([500, "false"]);
  const said = await broken(async (_, response) => {
    response.statusCode = 503;
    response.end("no");
  });
  expect([said.status, said.headers.get("x-should-retry")]).toEqual([503, "false"]);
  const waits = await broken(
    async (_, response) => void response.setHeader("retry-after", "2").writeHead(503).end("no"),
  );
  expect([waits.headers.get("retry-after"), waits.headers.get("x-should-retry")]).toEqual([
    "2",
    null,
  ]);
  const fine = await broken(async (_, response) => void response.end("yes"));
  expect(fine.headers.get("x-should-retry")).toBeNull();
});
