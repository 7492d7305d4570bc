/** Until when a balance lasts at the pace of the last days, with the prices that are to come. */
import type { ModelPriceView } from "../contract/prices";
import { readPoints } from "./points-display";

const DAY_MS = 86_400_000;
/** Beyond this a forecast from the last days says nothing. */
const FORECAST_DAYS_MAX = 365;

/** What a model cost in the last days. */
export interface ModelSpend {
  /** The model's. */
  readonly id: string;
  readonly amount: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Forecast {
  /** When the balance is used up, in ms; null without a pace, or when that is beyond a year. */
  readonly emptyAt: number | null;
  readonly hasPace: boolean;
  /** The models with a coming price that is counted. */
  readonly counted: readonly string[];
}

/** By how much a coming price multiplies what these tokens cost. */
function factorOf({ inputTokens, outputTokens }: ModelSpend, price: ModelPriceView): number {
  if (price.next === null || price.output === null) return 1;
  const costAt = (at: { input: string | null; output: string | null }) =>
    inputTokens * Number(at.input ?? 0) + outputTokens * Number(at.output ?? 0);
  const [now, then] = [costAt(price), costAt(price.next)];
  if (now > 0) return then / now;
  // What is not counted by tokens: as its one rate changes.
  const [from, to] = [Number(price.output), Number(price.next.output)];
  return from > 0 ? to / from : 1;
}

/** `spent` is the sum of the last `days` days by model. */
export function forecast(
  available: string,
  spent: readonly ModelSpend[],
  days: number,
  prices: readonly ModelPriceView[],
  now: number,
): Forecast {
  const perDay = spent.map((each) => {
    const price = prices.find(({ model }) => model === each.id);
    const daily = Number(readPoints(each.amount)) / days;
    const factor = price ? factorOf(each, price) : 1;
    return { model: each.id, daily, factor, at: Date.parse(price?.next?.effectiveAt ?? "") };
  });
  const changes = perDay
    .filter(({ factor, daily }) => factor !== 1 && daily > 0)
    .sort((a, b) => a.at - b.at);
  let pace = perDay.reduce((sum, { daily }) => sum + daily, 0);
  let [left, at] = [Number(readPoints(available)), now];
  const counted: string[] = [];
  for (const { model, daily, factor, at: from } of changes) {
    const used = (pace * Math.max(0, from - at)) / DAY_MS;
    if (used >= left) break;
    left -= used;
    at = Math.max(at, from);
    pace += daily * (factor - 1);
    counted.push(model);
  }
  if (!(pace > 0)) return { emptyAt: null, hasPace: false, counted: [] };
  const emptyAt = at + (Math.max(0, left) / pace) * DAY_MS;
  const isInSight = emptyAt - now <= FORECAST_DAYS_MAX * DAY_MS;
  return { emptyAt: isInSight ? emptyAt : null, hasPace: true, counted };
}
