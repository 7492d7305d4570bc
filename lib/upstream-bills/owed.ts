/** What is owed for a call, or for a sum of calls, at an upstream's rates. Pure. */
import { MULTIPLIER_PPM_ONE, priceOf } from "../pricing/price";
import { dependsOnTime, priceAt, timeOfDay } from "../pricing/price-at";
import type { Price } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";
import { type AnsweredCall, sumOfUsages } from "./bill-line";

type Part = Pick<AnsweredCall, "usage" | "at">;
/** A call of which something is owed. */
export interface Owed extends Part {
  /** Of a sum, its calls; absent for one call. */
  readonly parts?: readonly Part[];
}

/** `at`: the time of the call, by which the upstream's rates may differ. */
export const costOf = (usage: TokenUsage, price: Price, at: number): bigint =>
  priceOf(timed(usage, price, at), price, MULTIPLIER_PPM_ONE);

function timed(usage: TokenUsage, price: Price, at: number): TokenUsage {
  if (!dependsOnTime(price)) return usage;
  return { ...usage, ordered: { ...usage.ordered, time: timeOfDay(at) } };
}

/** The calls of a sum that have the same rates, as one. */
function alike(parts: readonly Part[], price: Price): [Price, Part[]][] {
  const groups = new Map<Price, Part[]>();
  for (const part of parts) {
    const at = priceAt(price, timed(part.usage, price, part.at));
    const known = groups.get(at);
    if (known === undefined) groups.set(at, [part]);
    else known.push(part);
  }
  return [...groups];
}

/** What is owed for a call; for a sum of calls, for each at the rates of its own length and time. */
export function owedFor({ usage, at, parts = [] }: Owed, price: Price): bigint {
  const groups = alike(parts, price);
  if (groups.length === 0) return costOf(usage, price, at);
  return groups.reduce(
    (sum, [own, each]) =>
      sum + costOf(withRequests(each.map((part) => part.usage)), own, each[0]?.at ?? at),
    0n,
  );
}

/** The sum of several calls, with the number of requests. */
export const withRequests = (usages: readonly TokenUsage[]): TokenUsage => ({
  ...sumOfUsages(usages),
  requests: usages.reduce((sum, { requests = 1 }) => sum + requests, 0),
});
