/**
 * The payment provider's webhook. There is no session; the signature over the raw body is the only
 * authentication.
 */
import { RelayError } from "../failures/relay-error";
import { JSON_TYPE } from "../http/failure-answer";
import { ADDRESS_HEADER, answerWith } from "../http/serve-page";
import { receiveEvent } from "../topup/payments";
import { stripeOf } from "../topup/stripe";
import type { PagesHost } from "./use-case";

const BODY_BYTES_MAX = 256 * 1024;

async function readBounded(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new RelayError("body_too_large", {
      message: `The body is larger than ${BODY_BYTES_MAX} bytes.`,
    });
  if (Number(request.headers.get("content-length")) > BODY_BYTES_MAX) throw tooLarge();
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    total += part.byteLength;
    if (total > BODY_BYTES_MAX) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Answers 200 once the event is stored and processed, and 400 for an event that is not the
 * provider's. Any other status makes the provider send it again.
 */
export function stripeWebhook(
  host: Pick<PagesHost, "deps" | "admit" | "report">,
): (request: Request) => Promise<Response> {
  return (request) =>
    answerWith(host, request.signal, async (deps, headers) => {
      const address = request.headers.get(ADDRESS_HEADER) ?? undefined;
      host.admit(deps, { isWrite: false, address, user: null });
      const stripe = stripeOf(deps.settings);
      if (stripe === null) throw new RelayError("route_not_found");
      const signature = request.headers.get("stripe-signature");
      await receiveEvent(deps, stripe, { body: await readBounded(request), signature });
      return new Response('{"received":true}', {
        status: 200,
        headers: { ...headers, "content-type": JSON_TYPE },
      });
    });
}
