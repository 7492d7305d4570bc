import type { EndpointRow } from "../contract/endpoint";
import type { Endpoint } from "./exchange";

interface DebugLog {
  debug(fields: object, message: string): void;
}

/**
 * Wraps the endpoint and logs each of its answers: what was called and how it went, never what was
 * sent.
 */
export function logAccess(
  log: DebugLog,
  { name, method }: EndpointRow,
  endpoint: Endpoint,
): Endpoint {
  return async (incoming, signedIn) => {
    const startedAt = performance.now();
    const outgoing = await endpoint(incoming, signedIn);
    const { status, headers } = outgoing;
    log.debug(
      {
        requestId: headers["x-request-id"],
        endpoint: name,
        method,
        status,
        ms: Math.round(performance.now() - startedAt),
      },
      "answered",
    );
    return outgoing;
  };
}
