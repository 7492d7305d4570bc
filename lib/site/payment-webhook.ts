/** The address a payment provider tells of payments at: no session; the signature over the raw body is all that counts. */
import { RelayError } from "../errors";
import { failures } from "../failures";
import { failureAnswer, JSON_TYPE, publicError } from "../http/failure-answer";
import { ADDRESS_HEADER, type SiteHandler, type SiteHost } from "../http/site";
import { newId } from "../ids";
import { receiveEvent } from "../topup/payments";
import { stripeOf } from "../topup/stripe";
import type { SiteParts } from "./site-parts";

const BODY_BYTES_MAX = 256 * 1024;

async function readBounded(request: Request): Promise<Uint8Array> {
  const tooLarge = () => new RelayError("body_too_large", { message: `The body is larger than ${BODY_BYTES_MAX} bytes.` });
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

/** 200 once the event is kept and done, 400 for one that is not the provider's; anything else asks for it to be sent again. */
export function stripeWebhook<User>(host: SiteHost<SiteParts, User>): SiteHandler {
  return async (request) => {
    const requestId = newId("request");
    const headers: Record<string, string> = { "x-request-id": requestId, "cache-control": "no-store" };
    let parts: SiteParts | undefined;
    try {
      parts = await host.parts();
      host.admit(parts, { isWrite: false, address: request.headers.get(ADDRESS_HEADER) ?? undefined, user: null });
      const stripe = stripeOf(parts.settings);
      if (stripe === null) throw new RelayError("route_not_found");
      await receiveEvent(parts, stripe, { body: await readBounded(request), signature: request.headers.get("stripe-signature") });
      return new Response('{"received":true}', { status: 200, headers: { ...headers, "content-type": JSON_TYPE } });
    } catch (thrown) {
      const error = publicError(thrown);
      if (parts !== undefined && failures[error.code].status >= 500) host.report(parts, requestId, error);
      const { status, body } = failureAnswer(error, headers);
      return new Response(body as string, { status, headers });
    }
  };
}
