/**
 * Requests that no client library sends: endless bodies, pipelining, upgrades, and request lines of
 * every form.
 */
import { connect } from "node:net";
import { expect, test } from "vitest";
import { endpoints } from "@/lib/contract/endpoints";
import type { RelayError } from "@/lib/failures/relay-error";
import type { Endpoint } from "@/lib/http/exchange";
import { failureAnswer } from "@/lib/http/failure-answer";
import {
  ask,
  chunkOf,
  connectionCount,
  eventually,
  exchange,
  open,
  openAll,
  page,
  readAll,
  serve,
  sockets,
} from "@/testing/http/raw-requests";
import { PIPELINED_MAX } from "./in-turn";

test("a page's body over 256 KiB is refused before it is parsed, with or without a content-length", async () => {
  const seen = { bytes: 0, ends: 0 };
  const port = await serve(readAll(seen));
  const announced = await exchange(
    port,
    `${ask("POST /api/auth/callback/credentials HTTP/1.1", "content-length: 110100480")}{`,
  );
  expect(announced).toMatch(/^HTTP\/1.1 413 .*"code":"body_too_large"/s);
  expect(seen).toEqual({ bytes: 0, ends: 0 });
  const { socket, text } = open(port);
  socket.write(ask("POST /api/auth/callback/credentials HTTP/1.1", "transfer-encoding: chunked"));
  const endless = setInterval(
    () => socket.writableLength < 1e6 && socket.write(chunkOf(65_536)),
    1,
  );
  await eventually(text).toMatch(/^HTTP\/1.1 413 .*"code":"body_too_large"/s);
  await eventually(() => socket.closed).toBe(true);
  clearInterval(endless);
  await eventually(() => seen.ends).toBe(1);
  expect(seen.bytes).toBeLessThanOrEqual(256 * 1024);
});

test("a client that sends its whole body before it reads gets the refusal and the end of the connection", async () => {
  const port = await serve(readAll({ bytes: 0, ends: 0 }), async (incoming) => {
    const refused = await incoming
      .receive(1000, () => undefined)
      .catch((error: RelayError) => error);
    return failureAnswer(refused as RelayError, {});
  });
  for (const path of ["/login", "/v1/a"]) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    socket.pause();
    socket.write(ask(`POST ${path} HTTP/1.1`, "transfer-encoding: chunked"));
    for (let sent = 0; sent < 60; sent++) {
      socket.write(chunkOf(8192));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    let text = "";
    socket.on("data", (part) => {
      text += part;
    });
    socket.resume();
    await eventually(() => text).toMatch(/^HTTP\/1.1 413 .*"code":"body_too_large"/s);
  }
});

test("a pipeline of requests that are answered at once does not block other connections", async () => {
  let served = 0;
  const port = await serve(page, async ({ path }) => {
    if (path !== "/v1/other") served++;
    for (const until = performance.now() + 5; performance.now() < until; );
    return { status: 200, headers: {}, body: path };
  });
  const other = open(port);
  await new Promise((resolve) => other.socket.once("connect", resolve));
  open(port).socket.write("GET /v1/a HTTP/1.1\r\nhost: x\r\n\r\n".repeat(PIPELINED_MAX));
  await eventually(() => served).toBeGreaterThan(2);
  other.socket.write(ask("GET /v1/other HTTP/1.1"));
  await other.ended;
  expect(served).toBeLessThan(PIPELINED_MAX - 20);
});

test("a page's body within the limit arrives complete, and a playground body may be as large as its endpoint's", async () => {
  const seen = { bytes: 0, ends: 0 };
  const port = await serve(readAll(seen));
  const whole = `${chunkOf(65_536)}${chunkOf(65_536)}${chunkOf(131_072)}0\r\n\r\n`;
  expect(
    await exchange(port, ask("POST /login HTTP/1.1", "transfer-encoding: chunked") + whole),
  ).toContain("read 262144");
  const { path, bodyBytesMax } = endpoints.createImage;
  const sent = await fetch(`http://127.0.0.1:${port}/api/playground${path}`, {
    method: "POST",
    body: Buffer.alloc(bodyBytesMax),
  });
  expect(await sent.text()).toBe(`read ${262_144 + bodyBytesMax}`);
  const more = await fetch(`http://127.0.0.1:${port}/api/playground${path}`, {
    method: "POST",
    body: Buffer.alloc(bodyBytesMax + 1),
  });
  expect(more.status).toBe(413);
});

test("pipelined requests are served one after the other, in order, and a too long pipeline closes its connection", async () => {
  let running = 0;
  let most = 0;
  const endpoint: Endpoint = async ({ path }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running--;
    return { status: 200, headers: {}, body: `<${path}>` };
  };
  const port = await serve(page, endpoint);
  const line = (at: number) => `GET /v1/${at} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const { socket, text } = open(port);
  socket.write(Array.from({ length: 40 }, (_, at) => line(at)).join(""));
  await eventually(text).toContain("</v1/39>");
  expect(text().match(/<[^>]*>/g)).toEqual(Array.from({ length: 40 }, (_, at) => `</v1/${at}>`));
  socket.write(
    `POST /v1/a HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc${line(50)}GET /page HTTP/1.1\r\nhost: x\r\n\r\n`,
  );
  await eventually(text).toContain("page GET /page");
  expect(most).toBe(1);
  await exchange(port, Array.from({ length: PIPELINED_MAX * 3 }, (_, at) => line(at)).join(""));
  expect(most).toBe(1);
});

test("a pipeline whose client disconnects starts no further request", async () => {
  let begun = 0;
  const endpoint: Endpoint = async () => {
    begun++;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { status: 200, headers: {}, body: "done" };
  };
  const port = await serve(page, endpoint);
  const { socket } = open(port);
  socket.write("GET /v1/x HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20));
  await eventually(() => begun).toBe(1);
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(begun).toBeLessThanOrEqual(2);
});

test("endless small requests on many connections of one address leave it only a few of them", async () => {
  let begun = 0;
  const port = await serve(page, async () => {
    begun++;
    await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
    return { status: 200, headers: {}, body: "" };
  });
  const connections = await openAll(port, 30);
  for (const { socket } of connections)
    socket.write("GET /v1/a HTTP/1.1\r\nhost: x\r\n\r\n".repeat(60));
  // Two connections have 60 requests waiting, the third a few; all others are closed.
  await eventually(
    () => connections.filter(({ socket }) => socket.closed).length,
  ).toBeGreaterThanOrEqual(27);
  expect(begun).toBeLessThanOrEqual(30);
  // Closed connections free their places, so the next connection may use all of them.
  for (const { socket } of connections) socket.destroy();
  await eventually(connectionCount).toBe(0);
  begun = 0;
  const [next] = await openAll(port, 1);
  next?.socket.write("GET /v1/a HTTP/1.1\r\nhost: x\r\n\r\n".repeat(PIPELINED_MAX));
  await eventually(() => begun).toBe(1);
  expect(next?.socket.closed).toBe(false);
});

test("a request with an Upgrade header is answered as if it had none, also after a page was loaded", async () => {
  const port = await serve();
  const upgrades = [
    [
      "upgrade: h2c",
      "connection: upgrade, http2-settings",
      "http2-settings: AAMAAABkAARAAAAAAAIAAAAA",
    ],
    [
      "upgrade: websocket",
      "connection: upgrade",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version: 13",
    ],
    ["upgrade: h2c"],
  ];
  for (const path of ["/v1/x", "/", "/v1/x", "/"]) {
    for (const headers of upgrades) {
      const { socket, text } = open(port);
      socket.write(`${[`GET ${path} HTTP/1.1`, "host: x", ...headers].join("\r\n")}\r\n\r\n`);
      await eventually(text).toMatch(
        path === "/" ? /^HTTP\/1.1 200 .*page GET \//s : /^HTTP\/1.1 200 .*endpoint$/s,
      );
    }
  }
});

test.each([
  ["OPTIONS * HTTP/1.1", 204],
  ["GET * HTTP/1.1", 404],
  ["OPTIONS / HTTP/1.1", 200],
  ["GET /docs/%ff%fe HTTP/1.1", 404],
  ["HEAD /docs/%ff%fe HTTP/1.1", 404],
  ["GET /docs/%00 HTTP/1.1", 404],
  ["GET /% HTTP/1.1", 404],
  ["GET //[ HTTP/1.1", 404],
  ["GET // HTTP/1.1", 404],
  ["GET http://[/ HTTP/1.1", 404],
  ["GET http://elsewhere HTTP/1.1", 200],
  ["GET http://elsewhere?a HTTP/1.1", 200],
  ["GET ftp://elsewhere/docs HTTP/1.1", 200],
  ["GET mailto:somebody HTTP/1.1", 400],
  ["TRACE / HTTP/1.1", 405],
  ["TRACE /v1/models HTTP/1.1", 200],
  ["CONNECT elsewhere:443 HTTP/1.1", 405],
  ["PROPFIND / HTTP/1.1", 200],
  [`GET /${"a".repeat(30_000)} HTTP/1.1`, 200],
  [`GET /${"a".repeat(40_000)} HTTP/1.1`, 431],
])("%.60s is answered and reaches no page that cannot handle it", async (line, status) => {
  const port = await serve();
  expect(await exchange(port, ask(line))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each(["GET /v1/a?b=", "POST /v1/a?b=", "GET /docs?b="])(
  "%s and more than the head may have is answered with an error body, however much is sent before it is read",
  async (begin) => {
    const port = await serve();
    const text = await exchange(port, ask(`${begin}${"%F0%9F%8D%95".repeat(30_000)} HTTP/1.1`));
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(
      /^HTTP\/1.1 431 Request Header Fields Too Large\r\n.*x-should-retry: false/s,
    );
    expect(JSON.parse(body).error).toMatchObject({ code: "head_too_large", param: null });
    // As `fetch` sees it, which writes everything first.
    const seen = await fetch(`http://127.0.0.1:${port}/v1/a`, {
      headers: { a: "b".repeat(500_000) },
    });
    expect([seen.status, (await seen.json()).error.type]).toEqual([431, "invalid_request_error"]);
    // Who never stops sending is cut off.
    const { socket, ended } = open(port);
    const endless = setInterval(
      () => socket.writableLength < 1e6 && socket.write("a".repeat(65_536)),
      1,
    );
    await ended;
    clearInterval(endless);
    expect(await exchange(port, "no request\r\n\r\n")).toMatch(/^HTTP\/1.1 400 Bad Request/);
  },
);
