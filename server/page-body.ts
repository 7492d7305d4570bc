/**
 * Bounds the request bodies of the pages' lane by the bytes received, before any library can read
 * them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { endpoints } from "@/lib/contract/endpoints";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { pageEndpoints } from "@/lib/contract/page-endpoints";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { bodyTooLarge } from "@/lib/http/body-too-large";
import { answerFailure, cutUnlessComplete } from "./refuse";

/** The limit for sign-in, forms, the pages' API and the payment webhook. */
const PAGE_BODY_BYTES_MAX = 256 * 1024;

/** The playground's addresses have the limits of their endpoints, and uploads one of their own. */
const playgroundLimits = Object.values(endpoints).flatMap(({ path, bodyBytesMax }) =>
  bodyBytesMax > 0 ? [[`${PLAYGROUND_PATH}${path}`, bodyBytesMax] as const] : [],
);
const uploads = Object.values<PageEndpoint>(pageEndpoints).flatMap(({ path, bodyBytesMax = 0 }) =>
  bodyBytesMax > PAGE_BODY_BYTES_MAX ? [[path, bodyBytesMax] as const] : [],
);
const limits = new Map<string, number>([...playgroundLimits, ...uploads]);

function refuse(request: IncomingMessage, response: ServerResponse, limitBytes: number): void {
  cutUnlessComplete(request, response);
  if (response.headersSent) request.socket.destroy();
  else answerFailure(response, bodyTooLarge(limitBytes));
}

/**
 * False when a request was refused because its announced length is too large. An unannounced body
 * is counted as it arrives; one that exceeds the limit is refused then and reaches no handler.
 */
export function boundPageBody(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  const limitBytes = limits.get(path) ?? PAGE_BODY_BYTES_MAX;
  if (Number(request.headers["content-length"]) > limitBytes) {
    refuse(request, response, limitBytes);
    return false;
  }
  if (request.headers["transfer-encoding"] === undefined) return true;
  const push = request.push.bind(request);
  let received = request.readableLength;
  request.push = (part: Buffer | null) => {
    const wasWithin = received <= limitBytes;
    if (part !== null) received += part.length;
    if (received <= limitBytes) return push(part);
    if (wasWithin) refuse(request, response, limitBytes);
    return true;
  };
  return true;
}
