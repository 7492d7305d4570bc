/** The rates of an upstream's price list beside those that are noted of it. */
import { createHash } from "node:crypto";
import type { StoredRate } from "../contract/rates";
import { selectors } from "../contract/units";

const wordsOf = (rate: StoredRate) =>
  [rate.unit, rate.amount, ...selectors.map((name) => rate[name] ?? "")].join(" ");

const textOf = (rates: readonly StoredRate[]) => rates.map(wordsOf).toSorted().join("\n");

/** Whether both ask the same, in whatever order. */
export const isSameRates = (one: readonly StoredRate[], other: readonly StoredRate[]): boolean =>
  textOf(one) === textOf(other);

/** Names rates as they were seen. */
export const digestOfRates = (rates: readonly StoredRate[]): string =>
  createHash("sha256").update(textOf(rates)).digest("hex").slice(0, 16);
