/**
 * An OpenAI-compatible upstream that records its answers. Each has its own id and usage, so that
 * its charge can be identified.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "@/lib/pause";

export interface RecordedAnswer {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True once the last byte was sent. */
  isDelivered: boolean;
}

export interface RecordingUpstream {
  readonly port: number;
  /** By the id of the answer. */
  readonly answers: Map<string, RecordedAnswer>;
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
export async function startRecordingUpstream(slownessMs: number): Promise<RecordingUpstream> {
  const answers = new Map<string, RecordedAnswer>();
  let count = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const id = `recorded-${++count}`;
    const entry: RecordedAnswer = {
      inputTokens: 1 + (count % 7),
      outputTokens: 1 + (count % 61),
      isDelivered: false,
    };
    answers.set(id, entry);
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
          model: "recorded",
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
        `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model: "recorded", choices, ...rest })}\n\n`,
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
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
