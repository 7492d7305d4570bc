/** Connections whose bytes a test writes itself, to a server that is closed after each test. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect } from "vitest";
import type { Endpoint } from "@/lib/http/exchange";
import type { PagesWatch } from "@/lib/http/pages-watch";
import { createWebServer, type WebServer } from "@/server/web-server";
import { listen } from "../stage/listen";

const servers: WebServer[] = [];
export const sockets: Socket[] = [];
const reported: unknown[] = [];

/** A busy machine needs longer than the default second of a poll. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { server } of servers.splice(0)) server.close().closeAllConnections();
  expect(reported.splice(0)).toEqual([]);
});

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** As Next does with its first page. */
const listening = new WeakSet<object>();
export const page: AnswerPage = async (request, response) => {
  const { server } = request.socket as unknown as { server: WebServer["server"] };
  if (!listening.has(server)) server.on("upgrade", () => {});
  listening.add(server);
  response.end(`page ${request.method} ${request.url}`);
};

export async function serve(
  answerPage: AnswerPage = page,
  endpoint: Endpoint = async () => ({ status: 200, headers: {}, body: "endpoint" }),
  pages?: PagesWatch,
) {
  const web = createWebServer({
    find: (_method, path) => (path.startsWith("/v1") ? endpoint : undefined),
    answerPage,
    ...(pages && { pages }),
    report: (error) => reported.push(error),
  });
  servers.push(web);
  return (await listen(web.server)).port;
}

export function open(
  port: number,
  localAddress?: string,
): { socket: Socket; text: () => string; ended: Promise<string> } {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  sockets.push(socket);
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  return {
    socket,
    text: () => text,
    ended: new Promise((resolve) => socket.once("close", () => resolve(text))),
  };
}

/** The number of connections of the last server. */
export const connectionCount = () =>
  new Promise((resolve) => servers.at(-1)?.server.getConnections((_, count) => resolve(count)));

/**
 * Opens connections and waits until the server has accepted them: it accepts one in each turn of
 * its event loop.
 */
export async function openAll(
  port: number,
  count: number,
  addressAt: (at: number) => string | undefined = () => undefined,
) {
  const before = Number(await connectionCount());
  const all = Array.from({ length: count }, (_, at) => open(port, addressAt(at)));
  await eventually(connectionCount).toBe(before + count);
  return all;
}

export function exchange(port: number, bytes: string, localAddress?: string): Promise<string> {
  const { socket, ended } = open(port, localAddress);
  socket.write(bytes);
  return ended;
}

export const ask = (line: string, ...headers: string[]) =>
  `${[line, "host: x", "connection: close", ...headers].join("\r\n")}\r\n\r\n`;
export const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${"a".repeat(bytes)}\r\n`;

/** Reads the whole body without a bound, as sign-in libraries do. */
export function readAll(seen: { bytes: number; ends: number }): AnswerPage {
  return async (request, response) => {
    try {
      for await (const part of request) seen.bytes += (part as Buffer).length;
      response.end(`read ${seen.bytes}`);
    } finally {
      seen.ends++;
    }
  };
}
