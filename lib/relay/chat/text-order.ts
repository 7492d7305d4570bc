/** Prices a chat request: the model, its price, and an upper bound of the cost. */
import type { Principal } from "../../accounts/principal";
import type { TextModel } from "../../catalog/models";
import {
  onlyCapOf,
  type Reading,
  streamsFromAnswer,
  unreadBy,
} from "../../contract/channel-profile";
import type { ChatRequest } from "../../contract/chat";
import type { NativeRequest } from "../../dialects/text-dialect";
import { RelayError } from "../../failures/relay-error";
import type { InlineImages } from "../../json/inline-images";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import { plainerForm } from "../../upstream/plainer-form";
import { plainerNative } from "../../upstream/plainer-native";
import type { Channel, JsonObject } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { holdAmountOf } from "../order/charge";
import { findModelOf, type PricedModel, priced } from "../order/find-model";
import { IgnoredFields } from "../order/ignored-fields";
import { assertWithinModel } from "./model-limits";
import { passingFields } from "./passing-fields";
import { unspokenFields } from "./unspoken-fields";

/**
 * The least output worth buying. If the balance affords fewer tokens than this, and fewer than the
 * client's own cap, the request is refused.
 */
const OUTPUT_TOKENS_MIN = 256;
/** An upper bound of what a model's chat template adds around the messages. */
const TEMPLATE_TOKENS_MAX = 64;
/** What the Messages API adds to a request with tools: up to 530 tokens, as its documents say. */
const MESSAGES_TOOLS_TOKENS_MAX = 1024;

/** What a plainer form adds for a schema of the answer, in words or for want of one, in bytes at most. */
const SCHEMA_WORDS_MAX = 64;

/** The terms of a request at one channel: which fields are passed, and what it can cost at most. */
export interface TextTerms {
  readonly inputTokensMax: number;
  /**
   * The output cap that is sent upstream: the smaller of the client's cap and the model's maximum.
   */
  readonly capTokens: number;
  /**
   * The output tokens that may be billed: the cap, or the model's maximum when the cap does not
   * bound them.
   */
  readonly outputTokensMax: number;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin: Micropoints;
  /** The fields that are passed upstream, as JSON text. */
  readonly passedOn: string;
  readonly streamOptions: JsonObject | null;
  /** What the upstream cannot read. */
  readonly unread: readonly Reading[];
  readonly ignored: IgnoredFields;
}

export interface TextOrder extends TextTerms, PricedModel<TextModel> {}

/** The settings of a channel that decide about a request's terms. */
export type ChannelTerms = Pick<
  Channel,
  "protocol" | "allowedFields" | "outputCap" | "profile" | "streams"
>;

/** The bytes of a text that the upstream gets, with the encoded images that it refers to. */
const bytesOf = (text: string, images: InlineImages | undefined): number =>
  Buffer.byteLength(text) + (images?.bytesIn(text) ?? 0);

const nativeBytes = ({ input, bytes }: NativeRequest, images: InlineImages | undefined): number =>
  bytes + (images?.bytesIn(input) ?? 0);

function imageTokens(
  request: ChatRequest,
  model: TextModel,
  images: InlineImages | undefined,
): { allowance: number; encodedBytes: number } {
  let allowance = 0;
  let encodedBytes = 0;
  for (const { content } of request.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type !== "image_url") continue;
      allowance += model.inputTokensPerImageMax ?? 0;
      // An inline image is counted as an image, not by its encoded length.
      const { url } = part.image_url;
      if (url.startsWith("data:image/")) encodedBytes += bytesOf(url, images);
    }
  }
  return { allowance, encodedBytes };
}

function clientCap(request: ChatRequest): number {
  return Math.min(
    request.max_tokens ?? Number.POSITIVE_INFINITY,
    request.max_completion_tokens ?? Number.POSITIVE_INFINITY,
  );
}

export function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which generates ${generates}: send a chat model.`;
  const fault = { name: "wrong_family", model: name.slice(0, 60) } as const;
  return new RelayError("unsupported_value", { message, param: "model", fault });
}

/**
 * Prices the upper bound of a request: a token is at least one byte long. Throws what the client
 * must change, or `price_missing`.
 */
export function orderText(
  request: ChatRequest,
  principal: Principal,
  priceBook: PriceBook,
  images: InlineImages | undefined,
): TextOrder {
  const model = findModelOf("text", request.model, principal, refuseModel);
  assertWithinModel(request, model);
  const sold = priced(model, principal, priceBook);
  const { price, multiplierPpm } = sold;
  return { ...termsOf(request, sold, { ...usualTerms, images }), model, price, multiplierPpm };
}

/** What decides about a request's terms besides the request. */
interface Conditions {
  readonly allowedFields: readonly string[];
  readonly isCapKept: boolean;
  readonly isMessages: boolean;
  /** What the upstream cannot read. */
  readonly unread: readonly Reading[];
  /** What an upstream of the client's own API gets instead of the chat request. */
  readonly native: NativeRequest | null;
  /** What was taken out of the body. */
  readonly images: InlineImages | undefined;
}
const usualTerms = {
  allowedFields: [],
  isCapKept: true,
  isMessages: false,
  unread: [],
  native: null,
} as const;

function termsOf(
  request: ChatRequest,
  sold: PricedModel<TextModel>,
  { allowedFields, isCapKept, isMessages, unread, native, images }: Conditions,
): TextTerms {
  const { model } = sold;
  const passing = passingFields(request, native === null ? allowedFields : []);
  const { streamOptions, usesAllowed } = passing;
  const ignored = native === null ? passing.ignored : new IgnoredFields();
  const body = plainerForm(passing.body, native === null ? unread : [], (name) =>
    ignored.add(name),
  );
  const passedOn = JSON.stringify(body);
  const { allowance, encodedBytes } = imageTokens(request, model, images);
  const ofTools = isMessages && body.tools !== undefined ? MESSAGES_TOOLS_TOKENS_MAX : 0;
  const format = passing.body.response_format;
  const hasWords = isRecord(format) && /^json_/.test(String(format.type));
  const ofSchema = hasWords ? SCHEMA_WORDS_MAX : 0;
  // A plainer form says the same, apart from a schema or the words for it, so its hold is the same.
  const whole = body === passing.body ? passedOn : JSON.stringify(passing.body);
  const inputTokensMax =
    (native === null ? bytesOf(whole, images) : nativeBytes(native, images)) -
    encodedBytes +
    allowance +
    TEMPLATE_TOKENS_MAX +
    ofTools +
    ofSchema;
  const capTokens = Math.min(clientCap(request), model.outputTokensMax);
  if (isMessages && native === null)
    for (const name of unspokenFields(request, capTokens)) ignored.add(name);
  const isBound = isCapKept && !usesAllowed;
  const outputTokensMax = isBound ? capTokens : model.outputTokensMax;
  // A cap that binds can be lowered to what the balance affords. The model's maximum cannot.
  const outputTokensLeast = isBound
    ? Math.min(outputTokensMax, OUTPUT_TOKENS_MIN)
    : outputTokensMax;
  const holdFor = (outputTokens: number) =>
    holdAmountOf({ inputTokens: inputTokensMax, outputTokens }, sold);
  const holdAmount = holdFor(outputTokensMax);
  return {
    inputTokensMax,
    capTokens,
    outputTokensMax,
    holdAmount,
    holdAmountMin: outputTokensLeast === outputTokensMax ? holdAmount : holdFor(outputTokensLeast),
    passedOn,
    streamOptions,
    unread,
    ignored,
  };
}

/** How an upstream treats the output cap. Ark's `max_tokens` does not count reasoning. */
const outputCapOf = ({ protocol, outputCap }: ChannelTerms) =>
  outputCap ?? (protocol === "ark" ? "none" : "as_sent");

/** What is known of one channel besides its settings. */
export interface AtChannel {
  /** False when the channel's usage exceeded its bound before. */
  readonly keepsBound: boolean;
  /** What its upstream refused of this request, besides what the profile says. */
  readonly refused?: readonly Reading[];
  readonly native?: NativeRequest | null;
  /** What was taken out of the body. */
  readonly images: InlineImages | undefined;
}

/** The order's terms at one channel. */
export function termsAt(
  order: TextOrder,
  request: ChatRequest,
  channel: ChannelTerms,
  { keepsBound, refused = [], native = null, images }: AtChannel,
): TextTerms {
  const { allowedFields = [] } = channel;
  const unread = [...unreadBy(channel, order.model.id), ...refused];
  const isCapKept = keepsBound && outputCapOf(channel) !== "none";
  const isMessages = channel.protocol === "anthropic";
  const isUsual =
    isCapKept &&
    !isMessages &&
    unread.length === 0 &&
    !allowedFields.some((name) => Object.hasOwn(request, name));
  return isUsual
    ? order
    : termsOf(request, order, { allowedFields, isCapKept, isMessages, unread, native, images });
}

type CapName = "max_tokens" | "max_completion_tokens";

/** The name of the cap, or the other one where the upstream reads only that. */
function readCap(usual: CapName, unread: readonly Reading[]): CapName {
  const other = usual === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return unread.includes(usual) && !unread.includes(other) ? other : usual;
}

/** Where a request is sent. */
interface Target {
  readonly channel: ChannelTerms;
  readonly upstreamModel: string;
  readonly native: NativeRequest | null;
}

/**
 * The JSON body for one channel: its name for the model, the output cap that was paid for, and
 * usage always on.
 */
export function upstreamBody(
  request: ChatRequest,
  terms: TextTerms,
  { channel, upstreamModel, native }: Target,
  outputTokens: number,
): string {
  if (native !== null) {
    const text = native.text(upstreamModel, outputTokens);
    return plainerNative(text, terms.unread, (name) => terms.ignored.add(name));
  }
  const outputCap = outputCapOf(channel);
  // Upstreams refuse a request with both names of the cap, so ours goes under the name the client
  // used.
  const usesNewName =
    typeof request.max_completion_tokens === "number" && typeof request.max_tokens !== "number";
  const isNewName =
    outputCap === "max_completion_tokens" || (outputCap !== "max_tokens" && usesNewName);
  const usual = onlyCapOf(channel) ?? (isNewName ? "max_completion_tokens" : "max_tokens");
  const capName = readCap(usual, terms.unread);
  const cap = `"${capName}":${outputTokens},`;
  const isStreamed = request.stream && !streamsFromAnswer(channel);
  const hasOptions = !terms.unread.includes("stream_options");
  const streamed = !isStreamed
    ? ""
    : !hasOptions
      ? '"stream":true,'
      : `"stream":true,"stream_options":${terms.streamOptions === null ? '{"include_usage":true}' : JSON.stringify({ ...terms.streamOptions, include_usage: true })},`;
  return `{"model":${JSON.stringify(upstreamModel)},${cap}${streamed}${terms.passedOn.slice(1)}`;
}
