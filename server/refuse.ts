/** Refusals that the server itself writes, with the same error body as every other error. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "@/lib/crypto/ids";
import type { RelayError } from "@/lib/failures/relay-error";
import { failureAnswer, failureText } from "@/lib/http/failure-answer";
import { dropBody, stopDropping } from "./refused-bodies";

/** How long a client may keep sending a refused body before its connection is cut. */
const REFUSED_BODY_MILLISECONDS = 1000;

const refused = new WeakSet<ServerResponse>();

/** True when the body was refused while it arrived: its answer was written, or is about to be. */
export const wasRefused = (response: ServerResponse): boolean => refused.has(response);

/**
 * Makes sure that the client gets the answer to a body that is not wanted. Closing a connection
 * with unread bytes resets it, and the client would lose the answer. So the answer is written at
 * once, and ends when the body has ended or after a short while. What still arrives is discarded;
 * so is whatever others write after the answer.
 */
export function cutUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  refused.add(response);
  request.on("error", () => {});
  if (!response.closed) {
    dropBody(request);
    response.once("close", () => stopDropping(request));
  }
  const end = response.end.bind(response);
  response.end = ((body?: string | Uint8Array) => {
    if (body === undefined) response.flushHeaders();
    else response.write(body);
    response.writeHead = () => response;
    response.write = () => true;
    response.end = () => response;
    const finish = () => {
      clearTimeout(cut);
      request.off("end", finish);
      end();
    };
    const cut = setTimeout(() => {
      finish();
      request.destroy();
    }, REFUSED_BODY_MILLISECONDS);
    cut.unref();
    if (request.readableEnded) finish();
    else request.once("end", finish);
    return response;
  }) as typeof response.end;
}

/** Writes the whole answer, for a request to the pages. */
export function answerFailure(response: ServerResponse, error: RelayError): void {
  const started = { "x-request-id": newId("request"), "cache-control": "no-store" };
  const { status, headers, body } = failureAnswer(error, started, failureText(error, "page"));
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
