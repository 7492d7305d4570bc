import type pg from "pg";
import type { Price } from "../pricing/price";

const VERSIONS_MAX = 100;

export interface PastPrice {
  readonly price: Price;
  readonly effectiveAt: Date;
}

/**
 * The current and past list prices of a catalogue identifier, newest first, without future ones.
 */
export async function readPriceHistory(pool: pg.Pool, model: string): Promise<PastPrice[]> {
  const { rows } = await pool.query<{
    input_price: string;
    output_price: string;
    effective_at: Date;
  }>(
    `select input_price, output_price, effective_at from price_version
     where model = $1 and effective_at <= now() order by effective_at desc limit $2`,
    [model, VERSIONS_MAX],
  );
  return rows.map((row) => ({
    price: { input: BigInt(row.input_price), output: BigInt(row.output_price) },
    effectiveAt: row.effective_at,
  }));
}
