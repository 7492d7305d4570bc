/**
 * Sends one JSON request and reads its JSON answer, bounded in time and size. Used for tasks and
 * images.
 */
import { identityAsked } from "../../net/content-coding";
import { failureBeforeSending } from "../failure";
import type { Channel } from "../provider";
import { createCalls, type Traceparent } from "./calls";
import { withExtraHeaders } from "./extra-headers";
import { type JsonAnswer, JsonCall, type JsonRequest } from "./json-call";
import { createPools } from "./pools";
import { splicedBody } from "./spliced-body";

const CONNECTIONS_MAX = 256;

/** Neither call rejects or throws. */
export interface JsonCaller {
  call(channel: Channel, request: JsonRequest): Promise<JsonAnswer>;
  /** Ends every running call as failed. */
  abortAll(): void;
  close(): Promise<void>;
}

function headersOf(channel: Channel, request: JsonRequest, parent: string | undefined): string[] {
  const headers = ["accept", "application/json", "user-agent", "relay", ...identityAsked];
  if (request.body) headers.push("content-type", "application/json");
  if (parent !== undefined) headers.push("traceparent", parent);
  if (channel.apiKey !== null) headers.push("authorization", `Bearer ${channel.apiKey}`);
  const { reference } = request;
  if (reference !== undefined)
    headers.push("x-client-request-id", reference, "idempotency-key", reference);
  return withExtraHeaders(headers, channel);
}

function deadlinesOf(channel: Channel, { deadlineMs }: JsonRequest) {
  const ms = channel.timeoutSeconds === null ? deadlineMs : channel.timeoutSeconds * 1000;
  return { firstByteMs: ms, idleMs: ms, totalMs: ms };
}

export function createJsonCaller(traceparent?: Traceparent): JsonCaller {
  const pools = createPools(CONNECTIONS_MAX);
  const calls = createCalls();
  return {
    call(channel, request) {
      return new Promise((resolve) => {
        const call = new JsonCall(request, deadlinesOf(channel, request), calls.onClosed, resolve);
        try {
          const place = pools.placeOf(channel, request.path);
          const { method, body, inlineImages } = request;
          const headers = headersOf(channel, request, traceparent?.());
          const sent = body
            ? splicedBody(JSON.stringify(body), inlineImages, headers)
            : { headers, body: null };
          calls.send(place, { method, ...sent }, call.exchange);
        } catch (error) {
          call.exchange.fail(failureBeforeSending(error));
        }
      });
    },
    abortAll: calls.abortAll,
    async close() {
      calls.close();
      await pools.close();
    },
  };
}
