/** Refusals that the server itself writes, with the error body that every answer has. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RelayError } from "@/lib/errors";
import { failureAnswer } from "@/lib/http/failure-answer";
import { newId } from "@/lib/ids";

/** How long a client may go on sending a body that was refused before its connection is cut. */
const REFUSED_BODY_MILLISECONDS = 1000;

/** Once the answer is out, what still comes is thrown away for a short while; then the connection ends. */
export function cutUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  request.on("error", () => {});
  request.resume();
  response.once("finish", () => {
    const cut = setTimeout(() => request.readableEnded || request.destroy(), REFUSED_BODY_MILLISECONDS);
    cut.unref();
  });
}

/** Writes the whole answer. */
export function answerFailure(response: ServerResponse, error: RelayError): void {
  const { status, headers, body } = failureAnswer(error, { "x-request-id": newId("request"), "cache-control": "no-store" });
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body as string) }).end(body);
}
