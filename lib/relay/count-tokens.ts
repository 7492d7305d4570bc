/**
 * `POST /v1/messages/count_tokens`: the upper bound of a request's input, by which its points would
 * be held.
 */
import type { Endpoints } from "../contract/endpoints";
import { toChat } from "../dialects/messages/to-chat";
import { jsonAnswer, type UseCase } from "../http/serve";
import type { PriceBook } from "../price-book/price-version";
import { ModelTurns } from "./chat/fallbacks";
import { assertPictures } from "./chat/model-limits";
import { orderText } from "./chat/text-order";

export function createCountTokens(priceBook: PriceBook): UseCase<Endpoints["countMessageTokens"]> {
  return (call) => {
    const { body, ignored: leftOut, fieldNames } = toChat({ ...call.body, max_tokens: 1 });
    const { principal, rawBody } = call;
    const turns = new ModelTurns(body, principal, { priceBook });
    const orders = turns.all((asked) => orderText(asked, principal, priceBook, rawBody.images));
    const { inputTokensMax, ignored } = orders.reduce((most, one) =>
      one.inputTokensMax > most.inputTokensMax ? one : most,
    );
    assertPictures(body, rawBody);
    for (const name of leftOut) ignored.add(name);
    ignored.setHeader(call.headers, fieldNames);
    call.headers["x-relay-estimate"] = "upper-bound";
    return jsonAnswer(call, { input_tokens: inputTokensMax });
  };
}
