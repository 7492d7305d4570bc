/** Prices a chat request: the model, its price, and an upper bound of the cost. */
import type { Principal } from "../../accounts/principal";
import type { TextModel } from "../../catalog/models";
import { type Refusable, unreadBy } from "../../contract/channel-profile";
import type { ChatRequest } from "../../contract/chat";
import { type Asks, offersTool, type SoldText } from "../../dialects/text-asks";
import type { NativeRequest } from "../../dialects/text-dialect";
import { RelayError } from "../../failures/relay-error";
import type { InlineImages } from "../../json/inline-images";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import { type Bound, outputTokensWithin } from "../../pricing/price";
import { toolsOfCalls } from "../../upstream/plainer-calls";
import { plainerForm } from "../../upstream/plainer-form";
import type { Channel, JsonObject } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { holdAmountOf } from "../order/charge";
import { findModelOf, type PricedModel, priced } from "../order/find-model";
import { IgnoredFields } from "../order/ignored-fields";
import { type ReadRequest, readDocuments } from "./documents";
import { assertWithinModel } from "./model-limits";
import { passingFields } from "./passing-fields";
import { askedFields, chatAsks, soldText } from "./text-asks";
import { boundsOf, capWithin, outputOf } from "./text-bounds";
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
  /** What else may be billed, for each tier and length at which rates differ: see `boundsOf`. */
  readonly bounds: readonly Bound[];
  readonly asks: Asks;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin: Micropoints;
  /** The fields that are passed upstream, as JSON text. */
  readonly passedOn: string;
  readonly streamOptions: JsonObject | null;
  /** What the upstream cannot read. */
  readonly unread: readonly Refusable[];
  readonly ignored: IgnoredFields;
}

export interface TextOrder extends TextTerms, PricedModel<TextModel>, ReadRequest {
  readonly sold: SoldText;
  /** Of the request as chat. */
  readonly chatAsks: Asks;
}

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

/** Images, sounds and documents are counted as what they are, not by their encoded length. */
function mediaTokens(
  request: ChatRequest,
  { model, sold }: Ordered,
  images: InlineImages | undefined,
): { allowance: number; encodedBytes: number } {
  let allowance = 0;
  let encodedBytes = 0;
  for (const { content } of request.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type === "input_audio") encodedBytes += part.input_audio.data.length;
      if (part.type === "file") {
        allowance += sold.offers.documents?.tokens_max ?? 0;
        encodedBytes += bytesOf(part.file.file_data, images);
      }
      if (part.type !== "image_url") continue;
      allowance += model.inputTokensPerImageMax ?? 0;
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

/** The Messages API has no sounds. */
const refuseSounds = (id: string) =>
  new RelayError("unsupported_value", {
    message: `\`messages\` has a sound: the channel that serves ${id} takes none.`,
    param: "messages",
  });

/**
 * Prices the upper bound of a request: a token is at least one byte long. Throws what the client
 * must change, or `price_missing`.
 */
export function orderText(
  asked: ChatRequest,
  principal: Principal,
  priceBook: PriceBook,
  images: InlineImages | undefined,
): TextOrder {
  const model = findModelOf("text", asked.model, principal, refuseModel);
  const named = priced(model, principal, priceBook);
  const sold = soldText(named);
  const read = readDocuments(asked, model, sold);
  const { request } = read;
  assertWithinModel(request, model);
  const order = { sold, chatAsks: chatAsks(request, named, sold), ...named, ...read };
  return Object.assign(order, termsOf(order, { images, ...usualTerms }));
}

/** What decides of an order about its terms. */
type Ordered = PricedModel<TextModel> & Pick<TextOrder, keyof ReadRequest | "sold" | "chatAsks">;

/** What decides about a request's terms besides the request. */
interface Conditions {
  readonly allowedFields: readonly string[];
  readonly isCapKept: boolean;
  readonly isMessages: boolean;
  /** What the upstream cannot read. */
  readonly unread: readonly Refusable[];
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

/** What is added at most to what a request says: by a template, by an API for its tools, by a plainer form. */
function addedMax(body: JsonObject, isMessages: boolean, isNative: boolean): number {
  const ofTools = isMessages && body.tools !== undefined ? MESSAGES_TOOLS_TOKENS_MAX : 0;
  const { response_format: format } = body;
  const hasWords = isRecord(format) && /^json_/.test(String(format.type));
  const ofCalls = isNative ? [] : toolsOfCalls(body);
  return (
    TEMPLATE_TOKENS_MAX +
    ofTools +
    (hasWords ? SCHEMA_WORDS_MAX : 0) +
    (ofCalls.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(ofCalls)))
  );
}

function termsOf(
  order: Ordered,
  { allowedFields, isCapKept, isMessages, unread, native, images }: Conditions,
): TextTerms {
  const { request, model, sold } = order;
  const { soundTokens } = order.chatAsks;
  const asks = native === null ? order.chatAsks : { ...native.asks, soundTokens };
  if (isMessages && soundTokens > 0) throw refuseSounds(model.id);
  const passing = passingFields(request, {
    allowed: native === null ? allowedFields : [],
    asked: askedFields(request, asks),
    // Chat has no words for them that become those of the Messages API.
    isHosted: (type) => !isMessages && offersTool(sold, type),
  });
  const { streamOptions, usesAllowed } = passing;
  const ignored = native === null ? passing.ignored : new IgnoredFields();
  if (order.hasUnread) ignored.add("messages.content.file");
  const body = plainerForm(passing.body, native === null ? unread : [], (name) =>
    ignored.add(name),
  );
  const passedOn = JSON.stringify(body);
  const { allowance, encodedBytes } = mediaTokens(request, order, images);
  // A plainer form says the same, apart from what it adds, so its hold is the same.
  const whole = body === passing.body ? passedOn : JSON.stringify(passing.body);
  const writtenMax =
    (native === null ? bytesOf(whole, images) : nativeBytes(native, images)) -
    encodedBytes +
    allowance +
    soundTokens +
    addedMax(passing.body, isMessages, native !== null);
  const capTokens = Math.min(clientCap(request), model.outputTokensMax);
  if (isMessages && native === null)
    for (const name of unspokenFields(request, capTokens)) ignored.add(name);
  const isBound = isCapKept && !usesAllowed;
  const answerTokensMax = isBound ? capTokens : model.outputTokensMax;
  // A cap that binds can be lowered to what the balance affords. The model's maximum cannot.
  const answerTokensLeast = isBound
    ? Math.min(answerTokensMax, OUTPUT_TOKENS_MIN)
    : answerTokensMax;
  const bounds = boundsOf(asks, order, writtenMax);
  const holdFor = (answerTokens: number) => {
    const outputTokens = outputOf(asks, answerTokens);
    let most = 0n;
    for (const bound of bounds) {
      const amount = holdAmountOf({ outputTokens, ...bound }, order);
      if (amount > most) most = amount;
    }
    return most;
  };
  const holdAmount = holdFor(answerTokensMax);
  return {
    inputTokensMax: bounds[0]?.inputTokens ?? writtenMax,
    capTokens,
    outputTokensMax: outputOf(asks, answerTokensMax),
    bounds,
    asks,
    holdAmount,
    holdAmountMin: answerTokensLeast === answerTokensMax ? holdAmount : holdFor(answerTokensLeast),
    passedOn,
    streamOptions,
    unread,
    ignored,
  };
}

/** How an upstream treats the output cap. Ark's `max_tokens` does not count reasoning. */
export const outputCapOf = ({ protocol, outputCap }: ChannelTerms) =>
  outputCap ?? (protocol === "ark" ? "none" : "as_sent");

/** What is known of one channel besides its settings. */
export interface AtChannel {
  /** False when the channel's usage exceeded its bound before. */
  readonly keepsBound: boolean;
  /** What its upstream refused of this request, besides what the profile says. */
  readonly refused?: readonly Refusable[];
  readonly native?: NativeRequest | null;
  /** What was taken out of the body. */
  readonly images: InlineImages | undefined;
}

export function termsAt(
  order: TextOrder,
  channel: ChannelTerms,
  { keepsBound, refused = [], native = null, images }: AtChannel,
): TextTerms {
  const { allowedFields = [] } = channel;
  const unread = [...unreadBy(channel, order.model.id), ...refused];
  const isCapKept = keepsBound && outputCapOf(channel) !== "none";
  const isMessages = channel.protocol === "anthropic";
  const isUsual =
    native === null &&
    isCapKept &&
    !isMessages &&
    unread.length === 0 &&
    !allowedFields.some((name) => Object.hasOwn(order.request, name));
  return isUsual
    ? order
    : termsOf(order, { allowedFields, isCapKept, isMessages, unread, native, images });
}

/** The largest cap that an amount affords, at whatever tier it is served. */
export function affordableCap(
  amount: Micropoints,
  { bounds, asks }: TextTerms,
  { price: { price }, multiplierPpm }: PricedModel,
): number {
  const within = bounds.map((bound) => outputTokensWithin(amount, bound, price, multiplierPpm));
  return capWithin(asks, Math.min(...within));
}
