/** What points cost in money, by the packages on sale. */
import type { PackageView } from "../contract/payments";
import { moneyDigits } from "../money/currency";

export interface PointCost {
  readonly currency: string;
  readonly currencies: readonly string[];
  /** Those of the currency. */
  readonly packages: readonly PackageView[];
  /** What a point costs in the cheapest and in the dearest package, with three digits that count. */
  readonly least: number;
  readonly most: number;
}

const costOfPoint = ({ amount, currency, points }: PackageView) =>
  Number((amount / 10 ** moneyDigits(currency) / Number(points)).toPrecision(3));

/** In the currency that is wanted, or the first one; null where none are sold. */
export function pointCost(
  packages: readonly PackageView[],
  wanted: string | null,
): PointCost | null {
  const currencies = [...new Set(packages.map((each) => each.currency))];
  const currency = currencies.find((each) => each === wanted) ?? currencies[0];
  if (currency === undefined) return null;
  const shown = packages.filter((each) => each.currency === currency);
  const costs = shown.map(costOfPoint);
  return {
    currency,
    currencies,
    packages: shown,
    least: Math.min(...costs),
    most: Math.max(...costs),
  };
}

/** What points cost at most, such as `€0.31`. Below a tenth with two digits that count. */
export function pointsMoneyText(points: string, { most, currency }: PointCost, locale: string) {
  const amount = Number(points) * most;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(amount < 0.1 && { minimumSignificantDigits: 1, maximumSignificantDigits: 2 }),
  }).format(amount);
}
