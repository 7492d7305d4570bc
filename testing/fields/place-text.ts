/** Places requests for text: as chat, or in the other two APIs, whose own upstreams get them too. */
import { type ChatRequest, chatRequest } from "@/lib/contract/chat";
import type { MessagesRequest } from "@/lib/contract/messages";
import type { ResponsesRequest } from "@/lib/contract/responses";
import type { ChannelProtocol } from "@/lib/contract/states";
import { units } from "@/lib/contract/units";
import { messagesDialect } from "@/lib/dialects/messages/messages-dialect";
import { responsesDialect } from "@/lib/dialects/responses/responses-dialect";
import type { CanonicalRequest } from "@/lib/dialects/text-dialect";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { priceOfRates } from "@/lib/pricing/rate";
import { orderText, type TextTerms, termsAt } from "@/lib/relay/chat/text-order";
import { upstreamBody } from "@/lib/relay/chat/upstream-body";
import { usualPrincipal } from "../accounts/usual-terms";
import { wholeText } from "../relay/whole-text";
import { plainChannel } from "../upstream/plain-channel";
import type { Place, Placed } from "./field-table";

const model = wholeText.id;
const version: PriceVersion = {
  id: "1",
  model,
  price: priceOfRates(
    wholeText.rates.map(({ unit, points, ...ordered }) => ({
      ...ordered,
      unit: units.find((each) => each === unit) ?? "request",
      amount: BigInt(points * 1_000_000),
    })),
  ),
  effectiveAt: new Date(0),
};

const namesIn = (header: string | undefined) => header?.split(", ") ?? [];

/** What a request may cost, but for the bytes of its input, each of which is held. */
const costOf = ({ outputTokensMax, bounds, asks }: TextTerms) =>
  JSON.stringify([
    outputTokensMax,
    asks.addsInput,
    bounds.map(({ inputTokens: _, ...bound }) => bound),
  ]);

function placed(asked: CanonicalRequest, protocol: ChannelProtocol): Placed {
  const { body, ignored, ignoredInChat = [], native, assertOffered } = asked;
  const order = orderText(body, usualPrincipal, { current: () => version }, undefined);
  assertOffered?.(order.sold);
  const own = native?.(order.sold, protocol) ?? null;
  const channel = { ...plainChannel("ch"), protocol };
  const at = { keepsBound: true, native: own, images: undefined };
  const terms = termsAt(order, channel, at);
  const headers: Record<string, string> = {};
  terms.ignored.setHeader(headers);
  const target = { channel, upstreamModel: "theirs", native: null };
  const chat = JSON.parse(upstreamBody(body, order, target, order.capTokens));
  const sent = own === null ? {} : JSON.parse(own.text("theirs", order.capTokens));
  return {
    sent: { ...chat, ...sent, ...own?.headers },
    cost: costOf(terms),
    ignored: [
      ...ignored,
      ...(own?.ignored ?? ignoredInChat),
      ...namesIn(headers["x-relay-ignored-fields"]),
    ],
  };
}

const said = [{ role: "user", content: "a boat" }];

export const placeChat: Place = (order) => {
  const body = { model, messages: said, ...order };
  validate(chatRequest, body);
  return placed({ body: body as ChatRequest, ignored: [] }, "openai");
};
export const placeResponse: Place = (order) => {
  const body = { model, input: "a boat", ...order };
  validate(responsesDialect.schema, body);
  return placed(responsesDialect.toChat(body as ResponsesRequest), "openai");
};
export const placeMessage: Place = (order) => {
  const body = { model, max_tokens: 4000, messages: said, ...order };
  validate(messagesDialect.schema, body);
  return placed(messagesDialect.toChat(body as MessagesRequest), "anthropic");
};
