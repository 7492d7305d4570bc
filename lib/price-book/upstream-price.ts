/** The upstream prices that the operator recorded, and the price at which a point is sold. */
import type { Database } from "../db/client";
import type { Money } from "../pricing/margin";

/** In place of a model: the price of a point. */
export const POINT = "point";

/** Millionths of the currency per million tokens. */
export interface UpstreamPrice {
  readonly currency: string;
  readonly input: bigint | null;
  readonly output: bigint;
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
          { currency: row.currency, input: row.inputAmount, output: row.outputAmount },
        ]),
    ),
  };
}
