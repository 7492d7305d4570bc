/**
 * Tests that a server which answers with nothing but headers does not block the event loop, and
 * that an answer read in parts arrives complete.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { Agent, errors } from "undici";
import { afterEach, expect, test } from "vitest";
import { type Listening, listen } from "@/testing/stage/listen";
import { upstreamConnector } from "./connect-upstream";

let server: Listening;
let agent: Agent;
afterEach(async () => {
  await agent.destroy();
  await server.close();
});

async function ask(answer: (socket: Socket) => void) {
  server = await listen(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    }),
  );
  agent = new Agent({ connect: upstreamConnector({}) });
  return agent.request({ origin: server.origin, path: "/", method: "GET" });
}

/** Counts the errors that undici creates for headers; each carries a stack. */
async function countingErrors(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const base = Object.getPrototypeOf(errors.UndiciError) as ErrorConstructor;
  Object.setPrototypeOf(
    errors.UndiciError,
    class extends base {
      constructor(message?: string) {
        super(message);
        count++;
      }
    },
  );
  try {
    await work();
  } finally {
    Object.setPrototypeOf(errors.UndiciError, base);
  }
  return count;
}

test.each(["a:b\r\n", "a:\r\n"])("a flood of headers %j creates few errors", async (header) => {
  const flood = Buffer.from(`HTTP/1.1 200 OK\r\n${header.repeat(100_000)}`);
  const refused = () =>
    expect(ask((socket) => socket.write(flood))).rejects.toMatchObject({
      code: "UND_ERR_HEADERS_OVERFLOW",
    });
  const count = await countingErrors(refused);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(1024);
});

test("a flood of trailers creates few errors too", async () => {
  const flood = Buffer.from(
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${"a:\r\n".repeat(100_000)}`,
  );
  const count = await countingErrors(async () => {
    const { body } = await ask((socket) => socket.write(flood));
    await expect(body.text()).rejects.toThrow();
  });
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(1024);
});

test.each(["length", "chunked", "until the end"])(
  "a body of many short lines arrives complete (%s)",
  async (framing) => {
    const sent = Buffer.concat([
      Buffer.from("\n".repeat(300_000)),
      randomBytes(300_000),
      Buffer.from("a\n".repeat(100_000)),
    ]);
    const { body } = await ask((socket) => {
      if (framing === "length")
        socket.write(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${sent.length}\r\n\r\n`),
            sent,
          ]),
        );
      else if (framing === "until the end")
        socket.end(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), sent]));
      else {
        socket.write(
          `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${sent.length.toString(16)}\r\n`,
        );
        socket.write(Buffer.concat([sent, Buffer.from("\r\n0\r\n\r\n")]));
      }
    });
    expect(sent.equals(Buffer.from(await body.arrayBuffer()))).toBe(true);
  },
);

test.each([
  "../upstream/transport/pools.ts",
  "../media/fetch-result.ts",
  "../media/s3-store.ts",
  "../callbacks/callback-agent.ts",
  "guarded-agent.ts",
])("%s connects only with this connector", (file) => {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  expect(text.match(/upstreamConnector\(/g)?.length).toBeGreaterThanOrEqual(
    text.match(/new (?:Agent|Pool)\(/g)?.length ?? 0,
  );
});
