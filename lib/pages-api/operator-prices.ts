import type { z } from "zod";
import * as prices from "../commands/prices";
import { noteUpstreamPrice } from "../commands/upstream-prices";
import type { previewPriceRequest, priceEndpoints } from "../contract/operator-prices";
import { invalidValue } from "../failures/relay-error";
import { requestedPoints } from "../money/requested-points";
import type { WantedPrice } from "../price-book/wanted-price";
import { ratesOfText } from "../pricing/rate-text";
import {
  showOperatorPrices,
  showPricePreview,
  showPriceVersions,
} from "../queries/operator-prices";
import { historyDeps, type UseCases } from "./use-case";

/** The whole list, or the price of tokens: an absent input price stays as it is. */
function wantedPrice(body: z.output<typeof previewPriceRequest>): WantedPrice {
  const { model, input, output, rates } = body;
  if (rates !== undefined && input === undefined && output === undefined)
    return { model, rates: ratesOfText(rates) };
  if (output === undefined || rates !== undefined)
    throw invalidValue("rates", "Send either `rates`, or `output` with or without `input`.");
  return {
    model,
    input: input === undefined ? undefined : requestedPoints("input", input),
    output: requestedPoints("output", output),
  };
}

export const priceUseCases: UseCases<typeof priceEndpoints> = {
  showOperatorPrices: ({ deps }) => showOperatorPrices(deps),
  async setPrice({ deps, body, user }) {
    const effectiveAt = body.effectiveAt === null ? null : new Date(body.effectiveAt);
    await prices.setPrice(deps, user.userId, { ...wantedPrice(body), effectiveAt });
    return showOperatorPrices(deps);
  },
  listPriceVersions: ({ deps, query }) => showPriceVersions(deps, query),
  async previewPrice(call) {
    return showPricePreview(historyDeps(call), wantedPrice(call.body));
  },
  async withdrawPrice({ deps, id, user }) {
    await prices.withdrawPrice(deps, user.userId, { id });
    return showOperatorPrices(deps);
  },
  async noteUpstreamPrice({ deps, body, user }) {
    const { subject, price } = body;
    const noted = price && {
      currency: price.currency,
      input: price.input === null ? null : requestedPoints("input", price.input),
      output: requestedPoints("output", price.output),
      ...(price.rates && { others: ratesOfText(price.rates) }),
    };
    await noteUpstreamPrice(deps, user.userId, { subject, price: noted });
    return showOperatorPrices(deps);
  },
};
