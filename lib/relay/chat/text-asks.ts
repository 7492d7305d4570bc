/** What a chat request asks for beyond one written answer, as far as its model offers it. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import type { TierParts } from "../../contract/text-tiers";
import { type Asks, offersTool, plainAsks, type SoldText } from "../../dialects/text-asks";
import { RelayError } from "../../failures/relay-error";
import type { PriceVersion } from "../../price-book/price-version";
import type { Price } from "../../pricing/rate";
import { isRecord } from "../../values/records";
import type { PricedModel } from "../order/find-model";

type Sold = PricedModel<TextModel>;

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
