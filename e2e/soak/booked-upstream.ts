/**
 * An OpenAI-compatible upstream that records its answers. Each has its own id and usage, so that
 * its charge can be identified.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "@/lib/pause";

export interface Booked {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True once the last byte was sent. */
  isDelivered: boolean;
}

export interface BookedUpstream {
  readonly port: number;
  /** By the id of the answer. */
  readonly book: Map<string, Booked>;
  close(): Promise<void>;
}

async function readBody(
  request: IncomingMessage,
): Promise<{ stream?: boolean; messages: { content: string }[] }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

/**
 * Starts the upstream. Answers take up to `slownessMs`, so that a kill hits requests at every step.
 */
export async function startBookedUpstream(slownessMs: number): Promise<BookedUpstream> {
  const book = new Map<string, Booked>();
  let count = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const id = `booked-${++count}`;
    const entry: Booked = {
      inputTokens: 1 + (count % 7),
      outputTokens: 1 + (count % 61),
      isDelivered: false,
    };
    book.set(id, entry);
    const usage = {
      prompt_tokens: entry.inputTokens,
      completion_tokens: entry.outputTokens,
      total_tokens: entry.inputTokens + entry.outputTokens,
    };
    const content = `${id} ${body.messages[0]?.content ?? ""}`;
    await pause(Math.random() * slownessMs);
    if (!body.stream) {
      const choices = [
        { index: 0, message: { role: "assistant", content }, finish_reason: "stop" },
      ];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          id,
          object: "chat.completion",
          created: 1,
          model: "booked",
          choices,
          usage,
        }),
      );
      entry.isDelivered = true;
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (choices: object[], rest: object = {}) =>
      response.write(
        `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model: "booked", choices, ...rest })}\n\n`,
      );
    send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
    for (const word of content.split(" ")) {
      await pause((Math.random() * slownessMs) / 8);
      send([{ index: 0, delta: { content: `${word} ` }, finish_reason: null }]);
    }
    send([{ index: 0, delta: {}, finish_reason: "stop" }]);
    send([], { usage });
    response.end("data: [DONE]\n\n");
    entry.isDelivered = true;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    book,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
