/** Places orders of images for a model that offers everything, at a rate for each size. */
import { type ImageRequest, imageEditRequest, imageRequest } from "@/lib/contract/image";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { priceOfRates, type Rate } from "@/lib/pricing/rate";
import { orderImage } from "@/lib/relay/image/image-order";
import { specOf, upstreamOrderOf } from "@/lib/relay/image/make-image";
import { createImageProvider } from "@/lib/upstream/images/image-provider";
import type { JsonObject } from "@/lib/upstream/provider";
import { usualPrincipal } from "../accounts/usual-terms";
import { model, rates } from "../relay/image-series";
import { plainChannel } from "../upstream/plain-channel";
import type { Place, Placed } from "./field-table";

const version: PriceVersion = {
  id: "1",
  model,
  price: priceOfRates([
    ...Object.entries(rates).map(
      ([size, points]): Rate => ({ unit: "image", size, amount: BigInt(Math.round(points * 1e6)) }),
    ),
    { unit: "input_image", amount: 250_000n },
    { unit: "partial_image", amount: 500_000n },
    { unit: "tool_call", amount: 1_500_000n },
  ]),
  effectiveAt: new Date(0),
};

async function placed(body: ImageRequest): Promise<Placed> {
  const bought = orderImage(body, usualPrincipal, { current: () => version });
  let sent: JsonObject = {};
  const { generate } = createImageProvider("ark", {
    async call(_, request) {
      sent = request.body ?? {};
      return { isOk: true, body: {} };
    },
    abortAll() {},
    close: async () => {},
  });
  const asked = upstreamOrderOf(model, specOf(bought, body.ratio ?? null), bought.imageUrls);
  await generate(plainChannel("ch"), { ...asked, onPartial: () => {} });
  return { sent, cost: String(bought.holdAmount), ignored: [] };
}

const usual = { model, prompt: "a boat", size: "512x512" };

export const placeImage: Place = (order) => {
  const body = { ...usual, ...order };
  validate(imageRequest, body);
  return placed(body);
};
export const placeEdit: Place = (order) => {
  const body = { ...usual, image: "https://files.example/b.png", ...order };
  validate(imageEditRequest, body);
  return placed(body);
};
