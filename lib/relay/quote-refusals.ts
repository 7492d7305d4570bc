/** What an endpoint refuses of an order besides what is refused while it is priced. */
import type { Principal } from "../accounts/principal";
import type { BodyOf, EndpointRow } from "../contract/endpoint";
import type { ResponsesRequest } from "../contract/responses";
import { RelayError } from "../failures/relay-error";
import { TAGS_HEADER, tagsOf } from "../http/call-tags";
import type { Incoming } from "../http/exchange";
import type { RawBody } from "../http/raw-body";
import { validateBody } from "../http/validate";
import { refersToStored } from "../stored-responses/resolve-input";
import { assertSignable } from "./order/buy-task";

/** The body as it came, and the headers beside it. */
export type Sent = Pick<RawBody, "images" | "countAsText"> & Pick<Incoming, "header">;
export type Asking<Body, Result> = (body: Body, principal: Principal, sent: Sent) => Result;

/** Refuses what the endpoint refuses before its use case has the body. */
export const checked =
  <Row extends EndpointRow, Result>(
    row: Row,
    quote: Asking<BodyOf<Row>, Result>,
  ): Asking<unknown, Result> =>
  (body, principal, sent) => {
    sent.countAsText(0, row.textBytesMax);
    validateBody(row, body);
    tagsOf(sent.header(TAGS_HEADER), body, row.hasMetadata === true);
    return quote(body, principal, sent);
  };

/** Refuses a callback that nothing would sign. */
export const signable =
  <Body extends { readonly callback_url?: string | null | undefined }, Result>(
    quote: Asking<Body, Result | Promise<Result>>,
  ): Asking<Body, Promise<Result>> =>
  async (body, principal, sent) => {
    const quoted = await quote(body, principal, sent);
    assertSignable(principal, body.callback_url ?? null);
    return quoted;
  };

/** What a stored response adds is not read for a quote. */
export function assertSelfContained(request: ResponsesRequest): void {
  if (!refersToStored(request)) return;
  throw new RelayError("unsupported_value", {
    param: request.previous_response_id ? "previous_response_id" : "input",
    message: "A request that refers to what is stored cannot be quoted: send the items instead.",
  });
}
