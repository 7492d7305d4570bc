/** Why a line of a source's log would have been charged otherwise here. */
import { MICROPOINTS_PER_POINT, type Micropoints } from "../money/points";
import type { Price } from "../pricing/price";
import { priceAt } from "../pricing/price-at";
import { wholeRate } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";
import { multiplierOfRatio, pricePerMillion } from "./rate";
import type { LoggedRatios } from "./ratios";

export const shadowCauses = [
  "equal",
  "rounding",
  "other price",
  "other multiplier",
  "cached tokens",
  "extras",
  "no such user",
  "no such model",
  "no price",
] as const;
export type ShadowCause = (typeof shadowCauses)[number];

interface Charge {
  readonly theirs: Micropoints;
  readonly ours: Micropoints;
  readonly price: Price;
  readonly ppm: number;
  readonly usage: TokenUsage;
  readonly said: LoggedRatios | null;
  readonly quotaPerPoint: bigint;
}

const gap = (one: bigint, other: bigint) => (one > other ? one - other : other - one);

/** Within a hundredth where a line has two decimals of each ratio. */
const isNear = (one: bigint, other: bigint, isExact: boolean) =>
  isExact ? one === other : gap(one, other) * 100n <= one;

function hasOtherPrice({ price: listed, usage, said, quotaPerPoint }: Charge): boolean {
  const price = priceAt(listed, usage);
  if (said === null) return false;
  const perCall = price.others?.find(({ unit }) => unit === "request");
  if (said.price !== null) return perCall === undefined;
  if (said.model === null) return false;
  const input = pricePerMillion(quotaPerPoint, said.model);
  const output = pricePerMillion(quotaPerPoint, said.model, said.completion ?? 10n ** 12n);
  const isSame =
    isNear(wholeRate("input_token", price, usage.ordered).amount, input, said.isExact) &&
    isNear(wholeRate("output_token", price, usage.ordered).amount, output, said.isExact);
  return perCall !== undefined || !isSame;
}

/** A source charges whole quotas: rounded up, down or to the nearest, and often at least one. */
const quotaMicropoints = (quotaPerPoint: bigint) =>
  (MICROPOINTS_PER_POINT + quotaPerPoint - 1n) / quotaPerPoint + 1n;

/** The first that differs, in the order in which an operator can change it. */
export function causeOf(charge: Charge): ShadowCause {
  const { theirs, ours, said, ppm, usage, quotaPerPoint } = charge;
  if (theirs === ours) return "equal";
  if (gap(theirs, ours) <= quotaMicropoints(quotaPerPoint)) return "rounding";
  if (hasOtherPrice(charge)) return "other price";
  if (said?.group != null && multiplierOfRatio(said.group).ppm !== ppm) return "other multiplier";
  if ((usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0) > 0) return "cached tokens";
  return "extras";
}
