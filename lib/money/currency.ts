/** Amounts of money in the smallest unit of a currency, as text. */

/**
 * Currencies for which the payment provider uses another number of decimals than the currency
 * itself.
 */
const providerDigits: Readonly<Record<string, number>> = { isk: 2, ugx: 2 };

/** How many decimals amounts of a currency have, such as 2 for `eur`. */
export function moneyDigits(currency: string): number {
  const own =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  return providerDigits[currency] ?? own;
}

/** `999`, `eur` → `€9.99`. */
export function moneyText(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    amount / 10 ** moneyDigits(currency),
  );
}
