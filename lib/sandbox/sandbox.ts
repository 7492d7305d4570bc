/** The sandbox upstream: an HTTP server on a loopback port that speaks the chat wire format, so that adapters run over real HTTP. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { models } from "../catalog/models";
import type { Channel } from "../upstream/provider";
import { type Book, createBook } from "./book";
import { answerChat, sendJson } from "./chat-completions";

export const SANDBOX_CHANNEL_ID = "sandbox";
const BODY_BYTES_MAX = 8 * 1024 * 1024;

export interface Sandbox {
  /** The channel that leads here. */
  readonly channel: Channel;
  readonly book: Book;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_BYTES_MAX) return null;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return null;
  }
}

const refusal = (message: string, code: string) => ({ error: { message, type: "invalid_request_error", param: null, code } });

function isAuthorized(request: IncomingMessage, credential: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${credential}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function answer(request: IncomingMessage, response: ServerResponse, credential: string, book: Book): Promise<void> {
  if (!isAuthorized(request, credential)) return sendJson(response, 401, refusal("The credential is not right.", "invalid_api_key"));
  if (request.method === "GET" && request.url === "/book") return sendJson(response, 200, { seen: book.seen, entries: book.entries });
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
    return sendJson(response, 404, refusal("There is nothing here.", "not_found"));
  }
  const body = await readBody(request);
  if (typeof body !== "object" || body === null) return sendJson(response, 400, refusal("The body is not a JSON object.", "invalid_json"));
  return answerChat(response, body, book);
}

/** Starts the sandbox on a free loopback port with a credential of its own. */
export async function startSandbox(): Promise<Sandbox> {
  const book = createBook();
  const credential = `sandbox-${randomBytes(24).toString("base64url")}`;
  const server = createServer((request, response) => {
    answer(request, response, credential, book).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  const texts = models.filter(({ family }) => family === "text");
  return {
    book,
    channel: {
      id: SANDBOX_CHANNEL_ID,
      name: "Sandbox",
      protocol: "openai",
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: credential,
      models: Object.fromEntries(texts.map(({ id, alias }) => [id, `sandbox-${alias}`])),
      requestsPerSecond: 0,
      requestsPerMinute: 0,
      priority: Number.MIN_SAFE_INTEGER,
      weight: 1,
      timeoutSeconds: null,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
