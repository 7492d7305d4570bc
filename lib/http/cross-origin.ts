/**
 * Pages of any site may call the API: its keys travel in a header that only the page itself can set,
 * and no cookie counts here. So any origin is allowed, without credentials.
 */
import type { Endpoint, Outgoing } from "./exchange";
import type { FindEndpoint } from "./route-table";

/** The headers of answers that a page may read, besides those that it always may. */
const exposed = [
  "content-disposition",
  "retry-after",
  "request-id",
  "x-request-id",
  "x-client-request-id",
  "x-should-retry",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "anthropic-ratelimit-requests-limit",
  "anthropic-ratelimit-requests-remaining",
  "anthropic-ratelimit-requests-reset",
  "idempotent-joined",
  "idempotent-replayed",
  "x-relay-estimate",
  "x-relay-ignored-fields",
  "x-relay-key-remaining",
  "x-relay-member-remaining",
  "x-relay-model",
  "x-relay-model-retires",
  "x-relay-points",
  "x-relay-request-id",
  "x-relay-task-id",
];
const anyOrigin = { "access-control-allow-origin": "*" };
const readable = { ...anyOrigin, "access-control-expose-headers": exposed.join(", ") };

/** Names of headers, as a browser lists those that a page wants to send. */
const headerNames = /^[\w-]{1,64}(?:, ?[\w-]{1,64}){0,63}$/;
const USUAL_NAMES = "authorization, content-type, *";
const MAX_AGE_SECONDS = 7200;

function preflight(asked: string | undefined): Outgoing {
  const names = asked !== undefined && headerNames.test(asked) ? asked : USUAL_NAMES;
  const headers = {
    ...anyOrigin,
    "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
    "access-control-allow-headers": names,
    "access-control-max-age": String(MAX_AGE_SECONDS),
    vary: "access-control-request-headers",
  };
  return { status: 204, headers, body: null };
}

/** A browser asks with OPTIONS first; what else comes so is answered as before. */
const asking =
  (endpoint: Endpoint): Endpoint =>
  async (incoming, signedIn) =>
    incoming.header("access-control-request-method") === undefined
      ? endpoint(incoming, signedIn)
      : preflight(incoming.header("access-control-request-headers"));

const answering =
  (endpoint: Endpoint): Endpoint =>
  (incoming, signedIn) => {
    // A browser's copy of a file serves pages of every origin.
    const isRead = incoming.method === "GET" || incoming.header("origin") !== undefined;
    const answer = endpoint(incoming, signedIn);
    if (!isRead || signedIn !== undefined) return answer;
    return answer.then((outgoing) => {
      Object.assign(outgoing.headers, readable);
      return outgoing;
    });
  };

/** Lets pages of other origins call what is below `/v1`. */
export const withCrossOrigin =
  (find: FindEndpoint): FindEndpoint =>
  (method, path) => {
    const endpoint = find(method, path);
    if (endpoint === undefined || !path.startsWith("/v1/")) return endpoint;
    return method === "OPTIONS" ? asking(endpoint) : answering(endpoint);
  };
