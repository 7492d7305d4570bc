/** A chat request as the relay will buy it: the model, its price, and the true upper bound of the cost. */
import type { Principal } from "../../accounts/principal";
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { RelayError } from "../../errors";
import type { Micropoints } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import type { Channel, JsonObject } from "../../upstream/provider";
import { holdAmountOf } from "../order/charge";
import { findModelOf, type PricedModel, priced } from "../order/find-model";
import type { IgnoredFields } from "../order/ignored-fields";
import { passingFields } from "./passing-fields";

/** With fewer affordable output tokens than this, or than the client's own smaller cap, nothing is bought. */
export const OUTPUT_TOKENS_MIN = 256;
/** What a model's chat template may add around the messages. */
const TEMPLATE_TOKENS_MAX = 64;

/** What a request means at a channel: which of its fields pass, and what it can cost at most. */
export interface TextTerms {
  readonly inputTokensMax: number;
  /** The smaller of the client's cap and the model's maximum: what is asked of the upstream. */
  readonly capTokens: number;
  /** What may be billed: the cap, or the model's maximum where the cap does not bind everything. */
  readonly outputTokensMax: number;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin: Micropoints;
  /** The client's fields that pass to the upstream, as JSON text. */
  readonly passedOn: string;
  readonly streamOptions: JsonObject | null;
  readonly ignored: IgnoredFields;
}

export interface TextOrder extends TextTerms, PricedModel<TextModel> {}

/** What of a channel decides about a request's terms. */
export type ChannelTerms = Pick<Channel, "protocol" | "allowedFields" | "outputCap">;

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

function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which makes ${generates}: it is not a chat model.`;
  return new RelayError("unsupported_value", { message, param: "model" });
}

/** Prices a request's upper bound: a token is never shorter than a byte. Throws what the customer must change, or `price_missing`. */
export function orderText(request: ChatRequest, principal: Principal, priceBook: PriceBook): TextOrder {
  const sold = priced(findModelOf("text", request.model, principal, refuseModel), principal, priceBook);
  const { model, price, multiplierPpm } = sold;
  return { model, price, multiplierPpm, ...termsOf(request, sold, [], true) };
}

function termsOf(request: ChatRequest, sold: PricedModel<TextModel>, allowedFields: readonly string[], isCapKept: boolean): TextTerms {
  const { model } = sold;
  const { body, streamOptions, ignored, usesAllowed } = passingFields(request, allowedFields);
  const passedOn = JSON.stringify(body);
  const { allowance, encodedBytes } = imageTokens(request, model);
  const inputTokensMax = Buffer.byteLength(passedOn) - encodedBytes + allowance + TEMPLATE_TOKENS_MAX;
  const capTokens = Math.min(clientCap(request), model.outputTokensMax);
  const isBound = isCapKept && !usesAllowed;
  const outputTokensMax = isBound ? capTokens : model.outputTokensMax;
  // A cap that binds can be lowered to what the balance affords; the model's most cannot.
  const outputTokensLeast = isBound ? Math.min(outputTokensMax, OUTPUT_TOKENS_MIN) : outputTokensMax;
  return {
    inputTokensMax,
    capTokens,
    outputTokensMax,
    holdAmount: holdAmountOf({ inputTokens: inputTokensMax, outputTokens: outputTokensMax }, sold),
    holdAmountMin: holdAmountOf({ inputTokens: inputTokensMax, outputTokens: outputTokensLeast }, sold),
    passedOn,
    streamOptions,
    ignored,
  };
}

/** The cap that a channel's upstream keeps, reasoning included. Ark's `max_tokens` leaves reasoning out. */
const outputCapOf = ({ protocol, outputCap }: ChannelTerms) => outputCap ?? (protocol === "ark" ? "none" : "as_sent");

/** The order's terms at one channel; `keepsBound` false: its usage has passed its bound before. */
export function termsAt(order: TextOrder, request: ChatRequest, channel: ChannelTerms, keepsBound: boolean): TextTerms {
  const { allowedFields = [] } = channel;
  const isCapKept = keepsBound && outputCapOf(channel) !== "none";
  if (isCapKept && !allowedFields.some((name) => Object.hasOwn(request, name))) return order;
  return termsOf(request, order, allowedFields, isCapKept);
}

/** The JSON text for one channel: its own name for the model, the cap that was paid for, and always usage. */
export function upstreamBody(
  request: ChatRequest,
  terms: TextTerms,
  channel: ChannelTerms,
  upstreamModel: string,
  outputTokens: number,
): string {
  const outputCap = outputCapOf(channel);
  // Upstreams refuse the two caps together, so the one that the client uses carries ours.
  const usesNewName = typeof request.max_completion_tokens === "number" && typeof request.max_tokens !== "number";
  const isNewName = outputCap === "max_completion_tokens" || (outputCap !== "max_tokens" && usesNewName);
  const cap = `"${isNewName ? "max_completion_tokens" : "max_tokens"}":${outputTokens},`;
  const streamed = request.stream
    ? `"stream":true,"stream_options":${terms.streamOptions === null ? '{"include_usage":true}' : JSON.stringify({ ...terms.streamOptions, include_usage: true })},`
    : "";
  return `{"model":${JSON.stringify(upstreamModel)},${cap}${streamed}${terms.passedOn.slice(1)}`;
}
