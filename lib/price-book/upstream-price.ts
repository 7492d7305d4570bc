/** The upstream prices that the operator recorded, and the price at which a point is sold. */

import { storedRates } from "../contract/rates";
import type { Database } from "../db/client";
import type { Money } from "../pricing/margin";
import { rateFor } from "../pricing/price-lines";
import type { Price, Rate } from "../pricing/rate";
import { otherRates } from "./stored-price";

/** In place of a model: the price of a point. */
export const POINT = "point";

/** Millionths of the currency per million tokens, and per one of what is no token. */
export interface UpstreamPrice {
  readonly currency: string;
  readonly input: bigint | null;
  readonly output: bigint;
  /** Of the other units; absent for none. */
  readonly others?: readonly Rate[];
}

/** In the form of a price of ours. */
export const priceOfUpstream = ({ input, output, others = [] }: UpstreamPrice): Price => ({
  input: input ?? 0n,
  output,
  ...(others.length > 0 && { others }),
});

/**
 * What sums of requests cost at most, as far as they are known: all tokens at the rates of the
 * whole, and the requests. Sums do not have cached tokens, images and seconds.
 */
export function costOfSums(
  price: UpstreamPrice,
  used: { requests: number; inputTokens: bigint; outputTokens: bigint },
): bigint {
  const each = rateFor("request", priceOfUpstream(price));
  const tokens = used.inputTokens * (price.input ?? 0n) + used.outputTokens * price.output;
  return tokens / 1_000_000n + each * BigInt(used.requests);
}

export interface UpstreamPrices {
  readonly pointPrice: Money | null;
  readonly ofModels: ReadonlyMap<string, UpstreamPrice>;
}

export async function readUpstreamPrices(database: Database): Promise<UpstreamPrices> {
  const rows = await database.upstreamPrice.findMany();
  const point = rows.find(({ subject }) => subject === POINT);
  return {
    pointPrice: point ? { currency: point.currency, amount: point.outputAmount } : null,
    ofModels: new Map(
      rows
        .filter(({ subject }) => subject !== POINT)
        .map((row) => [
          row.subject,
          {
            currency: row.currency,
            input: row.inputAmount,
            output: row.outputAmount,
            others: otherRates(storedRates.parse(row.otherRates)),
          },
        ]),
    ),
  };
}
