/** The usage that an order of text is held and billed for. */
import type { TextModel } from "../../catalog/models";
import { TOKENS_MAX } from "../../contract/limits";
import { servedTier, type TierParts, tiersWithin } from "../../contract/text-tiers";
import type { Asks } from "../../dialects/text-asks";
import type { Bound } from "../../pricing/price";
import { lengthsWithin } from "../../pricing/price-at";
import type { Price } from "../../pricing/rate";
import type { TokenUsage } from "../../pricing/usage";
import type { ReportedUsage } from "../../upstream/provider";
import type { PricedModel } from "../order/find-model";

type Sold = PricedModel<TextModel>;

const isByTier = ({ others = [] }: Price) => others.some(({ tier }) => tier !== undefined);

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
