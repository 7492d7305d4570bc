/** A price as its row: two rates in columns of their own, and the others as one value. */
import type { StoredRate } from "../contract/rates";
import type { Price, Rate } from "../pricing/rate";

export interface StoredPrice {
  readonly input_price: string;
  readonly output_price: string;
  /** The database checks its form. */
  readonly other_rates: readonly StoredRate[];
}

/** The columns of a price. */
export const priceColumns = "input_price, output_price, other_rates";

export const otherRates = (stored: readonly StoredRate[]): Rate[] =>
  stored.map((rate) => ({ ...rate, amount: BigInt(rate.amount) }));

export function readPrice({ input_price, output_price, other_rates }: StoredPrice): Price {
  const two = { input: BigInt(input_price), output: BigInt(output_price) };
  return other_rates.length === 0 ? two : { ...two, others: otherRates(other_rates) };
}

/** The value of the column `other_rates`. */
export const storedRatesOf = (others: readonly Rate[] = []) =>
  others.map(({ amount, ...rate }) => ({ ...rate, amount: Number(amount) }));
