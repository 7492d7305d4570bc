/** The headers of every API answer: the request's id, and the remaining requests of its key. */
import type { Principal } from "../accounts/principal";
import { RelayError } from "../failures/relay-error";
import type { RateLimitResult } from "../limits/key-limiter";
import type { Incoming } from "./exchange";

const clientRequestIdPattern = /^[\x21-\x7e]{1,255}$/;

/** The request id is always ours. An id from the client is returned in a header of its own. */
export function startHeaders(incoming: Incoming, requestId: string): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId };
  for (const name of ["x-client-request-id", "x-request-id"]) {
    const clientId = incoming.header(name);
    if (clientId === undefined || !clientRequestIdPattern.test(clientId)) continue;
    headers["x-client-request-id"] = clientId;
    break;
  }
  return headers;
}

/** Adds the remaining requests of the limit; throws `key_rate_limited` when none are left. */
export function setRateLimitHeaders(
  result: RateLimitResult,
  { kind }: Principal,
  headers: Record<string, string>,
): void {
  headers["x-ratelimit-limit-requests"] = String(result.limit);
  headers["x-ratelimit-remaining-requests"] = String(result.remaining);
  headers["x-ratelimit-reset-requests"] = String(result.resetSeconds);
  if (result.isAllowed) return;
  throw new RelayError("key_rate_limited", {
    message: `${kind === "session" ? "The playground" : "This API key"} may send ${result.limit} requests per minute. Try again in ${result.resetSeconds} s.`,
    fault: { name: "requests_a_minute", max: result.limit },
    retryAfterSeconds: result.resetSeconds,
  });
}
