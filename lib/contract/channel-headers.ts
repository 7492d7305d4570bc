/** The headers that a channel may send beside the relay's own. The browser imports this file too. */
import { HEADER_NAME_MAX, HEADER_VALUE_MAX } from "./limits";

/** About the connection or the body: each hop and each client library sets its own. */
const ofConnection = [
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** What the relay says of a request or asks of an answer. */
const ofRelay = [
  "accept",
  "accept-encoding",
  "idempotency-key",
  "traceparent",
  "tracestate",
  "x-client-request-id",
];
/** Headers are stored and shown as they are. */
const ofCredential = /(^|-)(authorization|api-?key|cookie)$/;

export type HeaderProblem = "name" | "connection" | "relay" | "credential" | "value";

/** Why a header cannot be sent; null when it can. `name` in lower case. */
export function headerProblem(name: string, value: string): HeaderProblem | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || name.length > HEADER_NAME_MAX) return "name";
  if (ofConnection.includes(name)) return "connection";
  if (ofRelay.includes(name)) return "relay";
  if (ofCredential.test(name)) return "credential";
  const isLine = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  return isLine && value.length <= HEADER_VALUE_MAX ? null : "value";
}
