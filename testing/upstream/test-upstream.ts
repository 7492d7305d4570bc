/** A real HTTP upstream for tests: a script writes the answers, and the requests are recorded. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { text } from "node:stream/consumers";
import type { Channel } from "@/lib/upstream/provider";
import { listen } from "../stage/listen";

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** The body as it came. */
  readonly text: string;
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

/** A whole answer, or a stream where one is asked for; `usage` absent for an answer without. */
export const saying =
  (content: string, usage?: unknown): Script =>
  (response, { body }) => {
    const counted = usage === undefined ? {} : { usage };
    if (body.stream !== true) return sendJson(response, completion(content, counted));
    const last = usage === undefined ? "" : usageChunk(usage);
    streaming(chunk({ content }), chunk({}, {}, "stop"), last)(response);
  };

/** A stream of these events. */
export const streaming =
  (...events: string[]) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, streamType).end(`${events.join("")}data: [DONE]\n\n`);

let channels = 0;

interface UpstreamOptions {
  /** For HTTPS. */
  readonly key?: string;
  readonly cert?: string;
  /** False where so many requests come that they cannot be kept. */
  readonly remembers?: boolean;
}

export async function startUpstream(
  script: Script,
  { remembers = true, ...tls }: UpstreamOptions = {},
): Promise<TestUpstream> {
  const seen: SeenRequest[] = [];
  let count = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    const sent = await text(request);
    const body = JSON.parse(sent || "{}") as Record<string, unknown>;
    const one = { method, path, headers, body, text: sent };
    // A test that forgets what was seen counts anew.
    await script(response, one, remembers ? seen.push(one) : ++count);
  }
  const listener: RequestListener = (request, response) =>
    void answer(request, response).catch(() => response.destroy());
  const server = tls.key ? createSecureServer(tls, listener) : createServer(listener);
  const { port, close } = await listen(server);
  const url = `${tls.key ? "https" : "http"}://127.0.0.1:${port}`;
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
    close,
  };
}
