/** Places requests for text: as chat, or in the other two APIs, whose own upstreams get them too. */
import { type ChatRequest, chatRequest } from "@/lib/contract/chat";
import type { MessagesRequest } from "@/lib/contract/messages";
import type { ResponsesRequest } from "@/lib/contract/responses";
import { messagesDialect } from "@/lib/dialects/messages/messages-dialect";
import { responsesDialect } from "@/lib/dialects/responses/responses-dialect";
import type { CanonicalRequest } from "@/lib/dialects/text-dialect";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { orderText, upstreamBody } from "@/lib/relay/chat/text-order";
import { usualPrincipal } from "../accounts/usual-terms";
import { plainChannel } from "../upstream/plain-channel";
import type { Place, Placed } from "./field-table";

const model = "RelayV1";
const version: PriceVersion = {
  id: "1",
  model,
  price: { input: 80n, output: 800n },
  effectiveAt: new Date(0),
};

const namesIn = (header: string | undefined) => header?.split(", ") ?? [];

function placed({ body, ignored, native }: CanonicalRequest): Placed {
  const order = orderText(body, usualPrincipal, { current: () => version }, undefined);
  const headers: Record<string, string> = {};
  order.ignored.setHeader(headers);
  const target = { channel: plainChannel("ch"), upstreamModel: "theirs", native: null };
  const chat = JSON.parse(upstreamBody(body, order, target, order.capTokens));
  const own = native?.();
  return {
    sent:
      own === undefined ? chat : { ...chat, ...JSON.parse(own.text("theirs", order.capTokens)) },
    // Of the input, each byte is held: only what may be written is compared.
    cost: String(order.outputTokensMax),
    ignored: [...ignored, ...(own?.ignored ?? []), ...namesIn(headers["x-relay-ignored-fields"])],
  };
}

const said = [{ role: "user", content: "a boat" }];

export const placeChat: Place = (order) => {
  const body = { model, messages: said, ...order };
  validate(chatRequest, body);
  return placed({ body: body as ChatRequest, ignored: [] });
};
export const placeResponse: Place = (order) => {
  const body = { model, input: "a boat", ...order };
  validate(responsesDialect.schema, body);
  return placed(responsesDialect.toChat(body as ResponsesRequest));
};
export const placeMessage: Place = (order) => {
  const body = { model, max_tokens: 4000, messages: said, ...order };
  validate(messagesDialect.schema, body);
  return placed(messagesDialect.toChat(body as MessagesRequest));
};
