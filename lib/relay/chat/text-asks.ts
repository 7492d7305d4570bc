/** What a chat request asks for beyond one written answer, as far as its model offers it, and its bound. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { TOKENS_MAX } from "../../contract/limits";
import { servedTier, type TierParts, tiersWithin } from "../../contract/text-tiers";
import { type Asks, offersTool, plainAsks, type SoldText } from "../../dialects/text-asks";
import { RelayError } from "../../failures/relay-error";
import type { PriceVersion } from "../../price-book/price-version";
import type { Bound } from "../../pricing/price";
import { lengthsWithin } from "../../pricing/price-at";
import type { Price } from "../../pricing/rate";
import type { TokenUsage } from "../../pricing/usage";
import type { ReportedUsage } from "../../upstream/provider";
import { isRecord } from "../../values/records";
import type { PricedModel } from "../order/find-model";

type Sold = PricedModel<TextModel>;

const isByTier = ({ others = [] }: Price) => others.some(({ tier }) => tier !== undefined);

interface Known {
  readonly model: TextModel;
  readonly sold: SoldText;
}
const known = new WeakMap<PriceVersion, Known>();

/** What needs a rate is offered only where there is one. Found out once for each price. */
export function soldText({ model, price }: Sold): SoldText {
  const before = known.get(price);
  if (before?.model === model) return before.sold;
  const sold = soldAt(model, price.price);
  known.set(price, { model, sold });
  return sold;
}

function soldAt(model: TextModel, { others = [] }: Price): SoldText {
  const has = (unit: string) => others.some((rate) => rate.unit === unit);
  const { tools, sounds, ...offers } = model.offers;
  return {
    offers: {
      ...offers,
      ...(tools && has("tool_call") && { tools }),
      ...(sounds && has("input_audio_token") && { sounds }),
    },
    hasSpeech: has("audio_token"),
    hasTier: (name) => others.some(({ unit, tier }) => unit === "output_token" && tier === name),
  };
}

function refused(param: string, value: unknown, allowed: string): RelayError {
  const message = `\`${param}\` is ${JSON.stringify(value).slice(0, 60)}: ${allowed}.`;
  return new RelayError("unsupported_value", { message, param });
}

function answersOf({ n }: ChatRequest, { id }: TextModel, { offers }: SoldText): number {
  if (typeof n !== "number" || n === 1) return 1;
  const { answers_max: most = 1 } = offers;
  if (n <= most) return n;
  const allowed =
    most === 1
      ? "only one result per call is supported; omit it or send 1"
      : `${id} gives at most ${most} answers per call`;
  throw new RelayError("n_not_supported", { param: "n", message: `\`n\` is ${n}: ${allowed}.` });
}

function tierOf({ service_tier: tier }: ChatRequest, sold: SoldText): TierParts {
  if (typeof tier !== "string" || tier === "auto" || tier === "default") return {};
  if (sold.hasTier(tier)) return { service_tier: tier };
  throw refused("service_tier", tier, 'only "auto" and "default" are supported');
}

function isSpoken({ audio, modalities }: ChatRequest, sold: SoldText): boolean {
  const speaks = Array.isArray(modalities) && modalities.includes("audio");
  if (!speaks && !audio) return false;
  if (sold.hasSpeech) return true;
  throw speaks
    ? refused("modalities", modalities, 'only ["text"] is supported')
    : refused("audio", audio, "it is not supported; omit it");
}

function runsTools(request: ChatRequest, sold: SoldText): boolean {
  const { web_search_options: search, tools } = request;
  if (search && !offersTool(sold, "web_search"))
    throw refused("web_search_options", search, "it is not supported; omit it");
  const listed: unknown[] = Array.isArray(tools) ? tools : [];
  return Boolean(search) || listed.some((tool) => isRecord(tool) && offersTool(sold, tool.type));
}

const predicted = ({ prediction }: ChatRequest, { offers }: SoldText): number =>
  prediction && offers.passes?.includes("prediction")
    ? Buffer.byteLength(JSON.stringify(prediction))
    : 0;

/** The most tokens of a request's sounds, whose bytes are those of a text in base64. */
function soundTokensOf(
  { messages }: ChatRequest,
  { id }: TextModel,
  { offers: { sounds } }: SoldText,
): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type !== "input_audio") continue;
      if (sounds === undefined)
        throw new RelayError("unsupported_value", {
          message: `\`messages\` has a sound: ${id} hears none.`,
          param: "messages",
        });
      tokens += Math.ceil((part.input_audio.data.length * 3) / 4 / sounds.bytes_per_token);
    }
  }
  return tokens;
}

const isPlain = (request: ChatRequest, { offers }: SoldText): boolean =>
  (request.n ?? request.service_tier ?? request.modalities ?? request.audio ?? null) === null &&
  (request.web_search_options ?? request.prediction ?? null) === null &&
  (offers.tools === undefined || request.tools === undefined);

/** Throws `unsupported_value` or `n_not_supported` for what the model does not offer. */
export function chatAsks(request: ChatRequest, { model }: Sold, sold: SoldText): Asks {
  const soundTokens = soundTokensOf(request, model, sold);
  if (soundTokens === 0 && isPlain(request, sold)) return plainAsks;
  const asks = {
    soundTokens,
    answers: answersOf(request, model, sold),
    tier: tierOf(request, sold),
    runsTools: runsTools(request, sold),
    isSpoken: isSpoken(request, sold),
    moreOutput: predicted(request, sold),
  };
  return { ...plainAsks, ...asks };
}

const nothing: readonly string[] = [];

/** The chat fields that are passed because of it. */
export function askedFields(request: ChatRequest, asks: Asks): readonly string[] {
  if (asks === plainAsks) return nothing;
  const names: string[] = [];
  if (asks.answers > 1) names.push("n");
  if (asks.isSpoken && request.audio) names.push("audio");
  if (request.web_search_options) names.push("web_search_options");
  if (asks.moreOutput > 0) names.push("prediction");
  return names;
}

/**
 * What is held for at most, without its output: a bound for each tier at which it may be served and each
 * length at which its rates differ. The first has the most input.
 */
export function boundsOf(asks: Asks, sold: Sold, inputTokensMax: number): Bound[] {
  const { model, time } = sold;
  const { price } = sold.price;
  const { contextTokens, offers } = model;
  const toolCalls = asks.runsTools ? (offers.tools?.calls_max ?? 0) : 0;
  // Each call of a tool is answered in another turn, which counts all that was said before it.
  const turns = 1 + asks.turns + toolCalls;
  const isOpen = asks.addsInput || turns > 1;
  const inputTokens =
    isOpen && contextTokens !== null ? Math.min(contextTokens * turns, TOKENS_MAX) : inputTokensMax;
  const bound = {
    inputTokens,
    ...(asks.soundTokens > 0 && { inputAudioTokens: asks.soundTokens * turns }),
    ...(toolCalls > 0 && { toolCalls }),
    ...(asks.isSpoken && { audioTokens: 0 }),
  };
  if (price.others === undefined) return [bound];
  const orders = isByTier(price)
    ? tiersWithin(asks.tier).map((tier) => ({ tier, ...(time && { time }) }))
    : [time && { time }];
  const lengths = lengthsWithin(price, inputTokens);
  return orders.flatMap((ordered) =>
    lengths.map((length) => ({ ...bound, inputTokens: length, ...(ordered && { ordered }) })),
  );
}

/** What the rates of a price are selected by. `reported`: the tier that the upstream granted. */
export function orderedOf(asks: Asks, price: Price, time?: string, reported?: TierParts) {
  const isTiered = isByTier(price);
  if (!isTiered && time === undefined) return {};
  const tier = isTiered ? { tier: servedTier(asks.tier, reported) } : {};
  return { ordered: { ...tier, ...(time && { time }) } };
}

/** The output that may be billed where each answer has at most `capTokens`. */
export const outputOf = ({ answers, turns, moreOutput }: Asks, capTokens: number): number =>
  Math.min(capTokens * answers * (1 + turns) + moreOutput, TOKENS_MAX);

/** The cap of each answer where all of them may have `outputTokens`. */
export const capWithin = ({ answers, turns, moreOutput }: Asks, outputTokens: number): number =>
  Math.max(0, Math.floor((outputTokens - moreOutput) / (answers * (1 + turns))));

/** What is billed of what the upstream reports. `time`: of the order, where its price depends on it. */
export function billedUsage(
  reported: ReportedUsage,
  asks: Asks,
  price: Price,
  time?: string,
): TokenUsage {
  const { audioTokens = 0, inputAudioTokens = 0, toolCalls = 0, tier, ...rest } = reported;
  if (price.others === undefined && audioTokens + inputAudioTokens + toolCalls === 0)
    return reported;
  const { reported: _, ...counted } = rest;
  return {
    ...counted,
    ...(asks.soundTokens > 0 && inputAudioTokens > 0 && { inputAudioTokens }),
    ...(asks.isSpoken && audioTokens > 0 && { audioTokens }),
    ...(asks.runsTools && toolCalls > 0 && { toolCalls }),
    ...orderedOf(asks, price, time, tier),
  };
}
