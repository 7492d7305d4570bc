import type { z } from "zod";
import { noteUpstreamPrice, setPrice, withdrawPrice } from "../commands/prices";
import type { previewPriceRequest, setPriceRequest, upstreamPriceRequest } from "../contract/operator-prices";
import { showOperatorPrices, showPricePreview } from "../queries/operator-prices";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";

/** An input price that is not given stays as it is. */
const wantedPrice = ({ model, input, output }: z.output<typeof previewPriceRequest>) => ({
  model,
  input: input === undefined ? undefined : requestedPoints("input", input),
  output: requestedPoints("output", output),
});

export async function previewOnePrice({ parts, body }: Call<z.output<typeof previewPriceRequest>>) {
  return showPricePreview(parts, wantedPrice(body));
}

export async function setOnePrice(call: Call<z.output<typeof setPriceRequest>>) {
  const { parts, body, user } = call;
  const effectiveAt = body.effectiveAt === null ? null : new Date(body.effectiveAt);
  await setPrice(parts, user().userId, { ...wantedPrice(body), effectiveAt });
  return showOperatorPrices(call.parts);
}

export async function withdrawOnePrice(call: Call) {
  const { parts, id, user } = call;
  await withdrawPrice(parts, user().userId, { id });
  return showOperatorPrices(call.parts);
}

export async function noteOneUpstreamPrice(call: Call<z.output<typeof upstreamPriceRequest>>) {
  const { parts, body, user } = call;
  const { subject, price } = body;
  const noted = price && {
    currency: price.currency,
    input: price.input === null ? null : requestedPoints("input", price.input),
    output: requestedPoints("output", price.output),
  };
  await noteUpstreamPrice(parts, user().userId, { subject, price: noted });
  return showOperatorPrices(call.parts);
}
