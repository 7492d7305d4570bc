/** `/metrics`: only for this machine, or for a caller with the token. */
import { createHash, timingSafeEqual } from "node:crypto";
import { RelayError } from "../failures/relay-error";
import type { Endpoint, Incoming } from "../http/exchange";
import { failureAnswer } from "../http/failure-answer";
import { isLoopback } from "../net/client-address";

const TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Headers that show a proxy: a request through a proxy on this machine may come from anywhere. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

const digest = (text: string) => createHash("sha256").update(text).digest();

function isFromHere(incoming: Incoming): boolean {
  return (
    isLoopback(incoming.address ?? "") &&
    forwardingHeaders.every((name) => incoming.header(name) === undefined)
  );
}

/**
 * `read` returns the text of the metrics. With a token configured, only the token grants access;
 * without one, only a direct request from this machine.
 */
export function metricsEndpoint(token: string | undefined, read: () => Promise<string>): Endpoint {
  const expected = token === undefined ? null : digest(`Bearer ${token}`);
  return async (incoming) => {
    if (expected === null && !isFromHere(incoming))
      return failureAnswer(new RelayError("route_not_found"), {});
    if (
      expected !== null &&
      !timingSafeEqual(digest(incoming.header("authorization") ?? ""), expected)
    ) {
      const headers = {
        "content-type": "text/plain; charset=utf-8",
        "www-authenticate": "Bearer",
        "cache-control": "no-store",
      };
      return {
        status: 401,
        headers,
        body: "Send METRICS_TOKEN as a bearer token to read the metrics.\n",
      };
    }
    return {
      status: 200,
      headers: { "content-type": TYPE, "cache-control": "no-store" },
      body: await read(),
    };
  };
}
