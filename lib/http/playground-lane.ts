/** The relay for signed-in pages: a session and the own origin take the place of an API key. */
import type { SignedIn } from "../accounts/principal";
import { PLAYGROUND_PATH } from "../contract/page-paths";
import { newId } from "../crypto/ids";
import { RelayError } from "../failures/relay-error";
import { failureAnswer, publicError } from "./failure-answer";
import { answerRequest } from "./fetch-lane";
import type { FindEndpoint } from "./route-table";
import { assertOwnOrigin } from "./serve-page";

export interface PlaygroundHost {
  readonly publicUrl: string;
  readonly find: FindEndpoint;
  /** The request's session; null when there is none. Rejects with `page_rate_limited`. */
  signedIn(): Promise<SignedIn | null>;
}

/**
 * The request as if sent to the relay's own address, without the client's credentials: only the
 * session identifies the caller.
 */
function passedOn(request: Request): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(PLAYGROUND_PATH.length);
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  headers.delete("authorization");
  const { method, body, signal } = request;
  return new Request(url, {
    method,
    headers,
    signal,
    ...(body ? { body, duplex: "half" } : {}),
  } as RequestInit);
}

/**
 * Answers `/api/playground/v1/…` with the endpoint at `/v1/…`. Never rejects: every failure becomes
 * an answer.
 */
export async function answerPlayground(host: PlaygroundHost, request: Request): Promise<Response> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD")
      assertOwnOrigin(request.headers, host.publicUrl);
    const signedIn = await host.signedIn();
    if (signedIn === null) throw new RelayError("sign_in_required");
    const response = await answerRequest(host.find, passedOn(request), signedIn);
    // Also prevents compression, which would buffer a stream.
    response.headers.set("cache-control", "no-store, no-transform");
    return response;
  } catch (thrown) {
    const { status, headers, body } = failureAnswer(publicError(thrown), {
      "x-request-id": newId("request"),
      "cache-control": "no-store",
    });
    return new Response(body, { status, headers });
  }
}
