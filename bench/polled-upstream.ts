/**
 * A video upstream that records when each task was polled. A share of the tasks never gets an
 * answer.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface PolledUpstream {
  readonly port: number;
  /** By task: the time of its creation and of each poll, by `performance.now()`. */
  readonly asked: Map<string, number[]>;
  readonly hanging: Set<string>;
  /** From now on every task that is answered has failed. */
  endAll(): void;
  close(): Promise<void>;
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

/** Starts the upstream; one of every `hangsEvery` tasks hangs. */
export async function startPolledUpstream(hangsEvery: number): Promise<PolledUpstream> {
  const asked = new Map<string, number[]>();
  const hanging = new Set<string>();
  let isOver = false;
  let count = 0;
  const server = createServer(async (request, response) => {
    const send = (body: unknown) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    await drain(request);
    if (request.method === "POST") {
      const id = `up-${++count}`;
      asked.set(id, [performance.now()]);
      if (count % hangsEvery === 0) hanging.add(id);
      return send({ id });
    }
    const id = request.url?.split("/").at(-1) ?? "";
    asked.get(id)?.push(performance.now());
    if (hanging.has(id) && !isOver) return;
    const error = isOver ? { code: "InternalServiceError", message: "over" } : null;
    send({
      id,
      model: "polled",
      status: isOver ? "failed" : "running",
      error,
      created_at: 1,
      updated_at: 2,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    hanging,
    endAll: () => {
      isOver = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
