/** The lane for hosts with web `Request` and `Response` objects: route files and tests. */
import type { SignedIn } from "../accounts/principal";
import { bodyTooLarge } from "./body-too-large";
import { type Incoming, isStream, type Outgoing, type TakePart } from "./exchange";
import type { FindEndpoint } from "./route-table";

async function receive(request: Request, limitBytes: number, take: TakePart): Promise<void> {
  if (Number(request.headers.get("content-length")) > limitBytes) throw bodyTooLarge(limitBytes);
  if (!request.body) return;
  let total = 0;
  for await (const part of request.body) {
    total += part.byteLength;
    if (total > limitBytes) throw bodyTooLarge(limitBytes);
    await take(part);
  }
}

export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true });
}

function incomingOf(request: Request, url: URL): Incoming {
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    receive: (limitBytes, take) => receive(request, limitBytes, take),
    onGone: (callback) => whenAborted(request.signal, callback),
  };
}

export function streamOf(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function responseOf({ status, headers, body }: Outgoing): Response {
  const payload = isStream(body) ? streamOf(body) : (body as BodyInit | null);
  return new Response(payload, { status, headers });
}

/** Answers a web request by the endpoint table. An unknown address gets a plain 404. */
export async function answerRequest(
  find: FindEndpoint,
  request: Request,
  signedIn?: SignedIn,
): Promise<Response> {
  const url = new URL(request.url);
  const isHead = request.method === "HEAD";
  const endpoint = find(isHead ? "GET" : request.method, url.pathname);
  if (!endpoint) return new Response(null, { status: 404 });
  const outgoing = await endpoint(incomingOf(request, url), signedIn);
  return responseOf(isHead ? { ...outgoing, body: null } : outgoing);
}
