/** A chat request as the relay will buy it: the model, its price, and the true upper bound of the cost. */
import { findAllowedModel } from "../accounts/allowed-model";
import type { KeyIdentity } from "../accounts/key-identity";
import type { TextModel } from "../catalog/models";
import type { ChatRequest } from "../contract/chat";
import { RelayError } from "../errors";
import type { Micropoints } from "../points";
import type { PriceBook, PriceVersion } from "../price-book/price-version";
import { priceOf } from "../pricing/price";

/** With fewer affordable output tokens than this, or than the client's own smaller cap, nothing is bought. */
export const OUTPUT_TOKENS_MIN = 256;
/** What a model's chat template may add around the messages. */
const TEMPLATE_TOKENS_MAX = 64;

export interface TextOrder {
  readonly model: TextModel;
  readonly price: PriceVersion;
  readonly multiplierPpm: number;
  readonly inputTokensMax: number;
  /** The smaller of the client's cap and the model's maximum. */
  readonly outputTokensMax: number;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin: Micropoints;
  /** The client's fields that pass to the upstream untouched, as JSON text. */
  readonly passedOn: string;
}

function imageTokens(request: ChatRequest, model: TextModel): { allowance: number; encodedBytes: number } {
  let allowance = 0;
  let encodedBytes = 0;
  for (const { content } of request.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type !== "image_url") continue;
      allowance += model.inputTokensPerImageMax;
      // An image sent inside the request counts as an image, not as text.
      if (part.image_url.url.startsWith("data:image/")) encodedBytes += part.image_url.url.length;
    }
  }
  return { allowance, encodedBytes };
}

function clientCap(request: ChatRequest): number {
  return Math.min(request.max_tokens ?? Number.POSITIVE_INFINITY, request.max_completion_tokens ?? Number.POSITIVE_INFINITY);
}

/** Prices a request's upper bound: a token is never shorter than a byte. Throws what the customer must change, or `price_missing`. */
export function orderText(request: ChatRequest, key: KeyIdentity, priceBook: PriceBook): TextOrder {
  const model = findAllowedModel(request.model, key);
  if (model.family !== "text") {
    const message = `\`model\` is ${JSON.stringify(request.model)}, which makes ${model.family}s: it is not a chat model.`;
    throw new RelayError("unsupported_value", { message, param: "model" });
  }
  const price = priceBook.current(model.id);
  if (!price) throw new RelayError("price_missing", { internal: `no price for ${model.id}` });
  const { model: _, max_tokens, max_completion_tokens, stream, stream_options, n, ...rest } = request;
  const passedOn = JSON.stringify(rest);
  const { allowance, encodedBytes } = imageTokens(request, model);
  const inputTokensMax = Buffer.byteLength(passedOn) - encodedBytes + allowance + TEMPLATE_TOKENS_MAX;
  const outputTokensMax = Math.min(clientCap(request), model.outputTokensMax);
  const multiplierPpm = key.multiplierPpm(model.id);
  const amountFor = (outputTokens: number) => priceOf({ inputTokens: inputTokensMax, outputTokens }, price.price, multiplierPpm);
  return {
    model,
    price,
    multiplierPpm,
    inputTokensMax,
    outputTokensMax,
    // The ledger holds nothing smaller than one micropoint, even where the price is zero.
    holdAmount: amountFor(outputTokensMax) || 1n,
    holdAmountMin: amountFor(Math.min(outputTokensMax, OUTPUT_TOKENS_MIN)) || 1n,
    passedOn,
  };
}

/** The JSON text for one upstream: its own name for the model, the cap that was paid for, and always usage. */
export function upstreamBody(request: ChatRequest, order: TextOrder, upstreamModel: string, outputTokens: number): string {
  // Upstreams refuse the two caps together, so the one that the client uses carries ours.
  const usesNewName = typeof request.max_completion_tokens === "number" && typeof request.max_tokens !== "number";
  const cap = `"${usesNewName ? "max_completion_tokens" : "max_tokens"}":${outputTokens},`;
  const streamed = request.stream
    ? `"stream":true,"stream_options":${JSON.stringify({ ...request.stream_options, include_usage: true })},`
    : "";
  return `{"model":${JSON.stringify(upstreamModel)},${cap}${streamed}${order.passedOn.slice(1)}`;
}
