import type { Reader } from "../db/pool";
import { priceColumns, readPrice, type StoredPrice } from "../price-book/stored-price";
import type { Price } from "../pricing/price";

const VERSIONS_MAX = 100;

export interface PastPrice {
  readonly price: Price;
  readonly effectiveAt: Date;
}

/**
 * The current and past list prices of a catalogue identifier, newest first, without future ones.
 * A version that another one replaced at its first moment never applied, and one with the price
 * before it changed nothing, such as the withdrawal of an announced price.
 */
export async function readPriceHistory(pool: Reader, model: string): Promise<PastPrice[]> {
  const { rows } = await pool.query<StoredPrice & { effective_at: Date }>(
    `with applied as (
       select distinct on (date_trunc('milliseconds', effective_at)) ${priceColumns}, effective_at
         from price_version where model = $1 and effective_at <= now()
        order by date_trunc('milliseconds', effective_at) desc, effective_at desc
     ), changes as (
       select *, lag((${priceColumns})) over (order by effective_at) as before from applied
     )
     select ${priceColumns}, effective_at from changes
      where before is null or before is distinct from (${priceColumns})
      order by effective_at desc limit $2`,
    [model, VERSIONS_MAX],
  );
  return rows.map((row) => ({
    price: readPrice(row),
    effectiveAt: row.effective_at,
  }));
}
