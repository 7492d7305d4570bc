/** A real HTTP upstream for tests: a script writes the answers, and the requests are recorded. */
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Channel } from "@/lib/upstream/provider";

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface TestUpstream {
  readonly url: string;
  readonly seen: SeenRequest[];
  channel(overrides?: Partial<Channel>): Channel;
  close(): Promise<void>;
}

export type Script = (
  response: ServerResponse,
  request: SeenRequest,
  count: number,
) => void | Promise<void>;

export const usageOf = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

export function completion(text: string, extra: object = {}): string {
  const choices = [
    { index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" },
  ];
  return JSON.stringify({
    id: "up-1",
    object: "chat.completion",
    created: 1,
    model: "upstream-name",
    choices,
    ...extra,
  });
}

export function chunk(
  delta: object,
  extra: object = {},
  finishReason: string | null = null,
): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "up-1", object: "chat.completion.chunk", created: 1, model: "upstream-name", choices, ...extra })}\n\n`;
}

export const usageChunk = (usage: unknown) =>
  `data: ${JSON.stringify({ id: "up-1", object: "chat.completion.chunk", created: 1, model: "upstream-name", choices: [], usage })}\n\n`;

export const streamType = { "content-type": "text/event-stream" };

export function sendJson(response: ServerResponse, text: string, status = 200): void {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    })
    .end(text);
}

let channels = 0;

export async function startUpstream(
  script: Script,
  tls?: { key: string; cert: string },
): Promise<TestUpstream> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString() || "{}") as Record<string, unknown>;
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      };
      seen.push(one);
      void Promise.resolve(script(response, one, seen.length)).catch(() => response.destroy());
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    channel: (overrides = {}) => ({
      id: `ch_${++channels}`,
      name: "test",
      protocol: "openai",
      baseUrl: `${url}/v1`,
      apiKey: "upstream-secret",
      models: { RelayV1: "upstream-name" },
      requestsPerSecond: 0,
      requestsPerMinute: 0,
      priority: 0,
      weight: 1,
      timeoutSeconds: null,
      ...overrides,
    }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
