/** The edge of requests in the Messages API: `x-api-key`, its headers, its errors. */
import { messagesDialect } from "../dialects/messages/messages-dialect";
import { type Edge, ownEdge } from "../http/edge";
import type { Incoming } from "../http/exchange";

const RATE = "anthropic-ratelimit-requests-";

/** Repeats the headers of the limit under the names that clients of this API read. */
function addLimits(headers: Record<string, string>): void {
  const limit = headers["x-ratelimit-limit-requests"];
  const remaining = headers["x-ratelimit-remaining-requests"];
  if (limit === undefined || remaining === undefined) return;
  const resetMs = Number(headers["x-ratelimit-reset-requests"]) * 1000;
  headers[`${RATE}limit`] = limit;
  headers[`${RATE}remaining`] = remaining;
  headers[`${RATE}reset`] = new Date(Date.now() + resetMs).toISOString();
}

export const messagesEdge: Edge = {
  authorization(incoming) {
    const bearer = incoming.header("authorization");
    const key = incoming.header("x-api-key");
    return bearer !== undefined || key === undefined ? bearer : `Bearer ${key}`;
  },
  addHeaders(headers) {
    headers["request-id"] = headers["x-request-id"] ?? "";
    addLimits(headers);
  },
  failureText: (error, requestId) => JSON.stringify(messagesDialect.toError(error, requestId).body),
};

/** True for a client of the Messages API at an address that it shares with other clients. */
export const speaksMessages = (incoming: Incoming): boolean =>
  incoming.header("anthropic-version") !== undefined;

export const sharedEdge = (incoming: Incoming): Edge =>
  speaksMessages(incoming) ? messagesEdge : ownEdge;
