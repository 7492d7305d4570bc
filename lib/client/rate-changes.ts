/** What differs between two prices, in whatever units they are. */
import type { RateView } from "../contract/rates";
import { selectors } from "../contract/units";
import { isOfPart } from "../pricing/rate";

/** What a rate is for, whatever it costs. */
export const rateKey = (rate: Omit<RateView, "points">) =>
  [rate.unit, ...selectors.map((name) => rate[name])].join(" ");

type Special = Pick<RateView, "tier" | "input_from" | "hours">;

/** Whether a rate is for no tier, or for the one of who asks for none. */
export const isUsualTier = (tier: string | undefined) => tier === undefined || tier === "default";

const isSpecial = (rate: Special) => !isUsualTier(rate.tier) || isOfPart(rate);

/**
 * Where there are more than `most`, those of the usual tier at all lengths and times are shown, as far
 * as there are any, and the others only on demand.
 */
export function splitRates<Rate extends Special>(rates: readonly Rate[], most: number) {
  if (rates.length <= most) return { shown: rates, more: [] };
  const usual = rates.filter((rate) => !isSpecial(rate));
  const shown = (usual.length > 0 ? usual : rates).slice(0, most);
  return { shown, more: rates.filter((rate) => !shown.includes(rate)) };
}

/** A rate with the amounts before and after, in points; null where the unit is not counted. */
export interface RateChange extends Omit<RateView, "points"> {
  readonly from: string | null;
  readonly to: string | null;
}

/** The rates that differ, in the order of the later price; those that end with it come last. */
export function rateChanges(
  before: readonly RateView[],
  after: readonly RateView[],
): readonly RateChange[] {
  const earlier = new Map(before.map((rate) => [rateKey(rate), rate.points]));
  const changed = after.flatMap(({ points: to, ...rate }) => {
    const from = earlier.get(rateKey(rate)) ?? null;
    earlier.delete(rateKey(rate));
    return from === to ? [] : [{ ...rate, from, to }];
  });
  const ended = before.flatMap(({ points: from, ...rate }) =>
    earlier.has(rateKey(rate)) ? [{ ...rate, from, to: null }] : [],
  );
  return [...changed, ...ended];
}
