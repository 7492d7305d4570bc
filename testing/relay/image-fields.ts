/**
 * The documented fields of image orders, each with an order that has it, and what becomes of it:
 * found by placing the order for a model that offers all of it.
 */
import { type ImageRequest, imageRequest } from "@/lib/contract/image";
import { isRelayError } from "@/lib/failures/relay-error";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { priceOfRates } from "@/lib/pricing/rate";
import { orderImage } from "@/lib/relay/image/image-order";
import { specOf, upstreamOrderOf } from "@/lib/relay/image/make-image";
import { usualPrincipal } from "../accounts/usual-terms";
import { model, rates } from "./image-series";

type Client = "Volcengine SDK" | "BytePlus SDK" | "OpenAI SDK";

interface ImageField {
  readonly field: string;
  readonly clients: readonly Client[];
  /** The members of an order that have it. */
  readonly order: object;
  /** True where we do what it says, and no upstream has to. */
  readonly isOurs?: true;
}

const ark = ["Volcengine SDK", "BytePlus SDK"] as const;
const openai = ["OpenAI SDK"] as const;
const all = [...ark, ...openai] as const;
const auto = { sequential_image_generation: "auto" };
const address = "https://files.example/a.png";
const four = { sequential_image_generation_options: { max_images: 4 } };

export const imageFields: readonly ImageField[] = [
  { field: "model", clients: all, order: {}, isOurs: true },
  { field: "prompt", clients: all, order: { prompt: "another" } },
  { field: "image", clients: ark, order: { image: Array(14).fill(address) } },
  { field: "size, in pixels", clients: all, order: { size: "1024x768" } },
  { field: "size, by its name", clients: ark, order: { size: "2K" } },
  { field: "seed", clients: ark, order: { seed: 7 } },
  { field: "sequential_image_generation", clients: ark, order: auto },
  {
    field: "sequential_image_generation_options.max_images",
    clients: ark,
    order: { ...auto, ...four },
  },
  { field: "stream", clients: all, order: { stream: true }, isOurs: true },
  { field: "guidance_scale", clients: ark, order: { guidance_scale: 2.5 } },
  { field: "response_format", clients: all, order: { response_format: "b64_json" }, isOurs: true },
  { field: "output_format", clients: all, order: { output_format: "jpeg" } },
  { field: "watermark", clients: ark, order: { watermark: true } },
  {
    field: "optimize_prompt_options",
    clients: ark,
    order: { optimize_prompt_options: { mode: "fast" } },
  },
  { field: "tools", clients: ark, order: { tools: [] } },
  { field: "n", clients: openai, order: { n: 3 } },
  { field: "quality", clients: openai, order: { quality: "high" } },
  { field: "background", clients: openai, order: { background: "opaque" } },
  { field: "moderation", clients: openai, order: { moderation: "auto" } },
  { field: "output_compression", clients: openai, order: { output_compression: 100 } },
  { field: "partial_images", clients: openai, order: { partial_images: 0 } },
  { field: "style", clients: openai, order: { style: "vivid" } },
  { field: "user", clients: openai, order: { user: "u-7" } },
  { field: "async", clients: [], order: { async: true }, isOurs: true },
  { field: "callback_url", clients: [], order: { callback_url: address }, isOurs: true },
];

const version: PriceVersion = {
  id: "1",
  model,
  price: priceOfRates(
    Object.entries(rates).map(([size, points]) => ({
      unit: "image",
      size,
      amount: BigInt(Math.round(points * 1e6)),
    })),
  ),
  effectiveAt: new Date(0),
};

/** What is held for an order, and what its upstream gets. */
function placed(order: object): { readonly held: bigint; readonly sent: string } {
  const body: ImageRequest = { model, prompt: "a boat", size: "512x512", ...order };
  validate(imageRequest, body);
  const bought = orderImage(body, usualPrincipal, { current: () => version });
  const sent = upstreamOrderOf(model, specOf(bought, null), bought.imageUrls);
  return { held: bought.holdAmount, sent: JSON.stringify(sent) };
}

export function outcomeOf({ order, isOurs }: ImageField): string {
  try {
    const [plain, own] = [placed({}), placed(order)];
    if (own.held !== plain.held) return "priced";
    return isOurs || own.sent !== plain.sent ? "passed" : "neutral value only";
  } catch (error) {
    if (isRelayError(error)) return "refused by name";
    throw error;
  }
}
