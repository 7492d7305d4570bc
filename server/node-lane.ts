/**
 * The fast lane: calls an endpoint directly from Node's request and writes its answer, without web
 * objects in between.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RelayError } from "@/lib/failures/relay-error";
import { bodyTooLarge } from "@/lib/http/body-too-large";
import type { Endpoint, Incoming, Outgoing, TakePart } from "@/lib/http/exchange";
import type { ClientAddress } from "@/lib/net/client-address";
import { cutUnlessComplete } from "./refuse";
import type { Target } from "./request-target";

class NodeIncoming implements Incoming {
  readonly method: string;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly path: string,
    readonly query: string,
    private readonly addressOf: ClientAddress,
  ) {
    this.method = request.method ?? "";
  }

  get address(): string {
    return this.addressOf(this.request.socket.remoteAddress ?? "", this.header("x-forwarded-for"));
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "string" ? value : undefined;
  }

  receive(limitBytes: number, take: TakePart): Promise<void> {
    return Number(this.request.headers["content-length"]) > limitBytes
      ? Promise.reject(this.refuseBody(limitBytes))
      : this.collectBody(limitBytes, take);
  }

  onGone(callback: () => void): void {
    const { response } = this;
    if (response.closed) callback();
    else response.once("close", () => response.writableFinished || callback());
  }

  private collectBody(limitBytes: number, take: TakePart): Promise<void> {
    const { request, response } = this;
    return new Promise((resolve, reject) => {
      let total = 0;
      /** The work on the last part. A request may end while it is paused. */
      let working: Promise<void> | undefined;
      const refuse = (error: unknown) => {
        request.off("data", collect);
        cutUnlessComplete(request, response);
        reject(error);
      };
      const collect = (part: Buffer) => {
        total += part.length;
        if (total > limitBytes) {
          refuse(bodyTooLarge(limitBytes));
          return;
        }
        try {
          const wait = take(part);
          if (wait === undefined) return;
          request.pause();
          working = wait.then(() => void request.resume(), refuse);
        } catch (error) {
          refuse(error);
        }
      };
      request.on("data", collect);
      request.on("end", () => (working === undefined ? resolve() : working.then(resolve)));
      request.on("error", () =>
        reject(
          new RelayError("invalid_json", {
            message: "The request body ended before it was complete.",
          }),
        ),
      );
    });
  }

  /**
   * Sends the answer at once. The rest of the client's body is read and discarded for a short
   * while.
   */
  private refuseBody(limitBytes: number): RelayError {
    cutUnlessComplete(this.request, this.response);
    return bodyTooLarge(limitBytes);
  }
}

/** Answers of these say nothing about the length of a body. */
const isBodiless = (status: number) => status === 204 || status === 304;

function flatHeaders(headers: Record<string, string>, length: number): string[] {
  const flat: string[] = [];
  for (const name in headers) flat.push(name, headers[name] ?? "");
  if (length >= 0) flat.push("content-length", String(length));
  return flat;
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.once("drain", settle).once("close", settle);
  });
}

/**
 * Writes chunks as fast as the client takes them. The head leaves with the first chunk when that is
 * ready in this turn of the event loop, and else alone. A failure cuts the connection, since the
 * status was already sent.
 */
async function writeStream(
  response: ServerResponse,
  body: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  const { socket } = response;
  response.once("close", () => iterator.return?.());
  socket?.cork();
  process.nextTick(() => socket?.uncork());
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done || response.destroyed) break;
      if (!response.write(value)) await drained(response);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function writeOutgoing(
  response: ServerResponse,
  { status, headers, body }: Outgoing,
): Promise<void> | undefined {
  if (response.destroyed) {
    // The client is gone, so nothing waits until the body has released its resources.
    if (body !== null && typeof body === "object" && Symbol.asyncIterator in body)
      void body[Symbol.asyncIterator]().return?.();
    return;
  }
  if (body === null)
    response.writeHead(status, flatHeaders(headers, isBodiless(status) ? -1 : 0)).end();
  else if (typeof body === "string")
    response.writeHead(status, flatHeaders(headers, Buffer.byteLength(body))).end(body);
  else if (body instanceof Uint8Array)
    response.writeHead(status, flatHeaders(headers, body.byteLength)).end(body);
  else {
    response.writeHead(status, flatHeaders(headers, -1));
    return writeStream(response, body);
  }
}

/**
 * Answers one request with `endpoint`. Resolves when the answer was passed to Node; rejects when
 * the endpoint rejects, which it must not.
 */
export async function answerByEndpoint(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  { path, query }: Target,
  addressOf: ClientAddress,
): Promise<void> {
  await writeOutgoing(
    response,
    await endpoint(new NodeIncoming(request, response, path, query, addressOf)),
  );
}
