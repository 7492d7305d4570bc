/** Amounts of money in the currency's smallest unit, and as formatted text. */

/**
 * Currencies for which the payment provider uses another number of decimals than the currency
 * itself.
 */
const providerDigits: Readonly<Record<string, number>> = { isk: 2, ugx: 2 };

function digitsOf(currency: string): number {
  const own =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  return providerDigits[currency] ?? own;
}

/** `999`, `eur` → `€9.99`. */
export function moneyText(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    amount / 10 ** digitsOf(currency),
  );
}

/** Millionths of a currency, formatted with two decimals. For estimates. */
export function millionthsText(amount: string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    Number(BigInt(amount) / 10_000n) / 100,
  );
}

/** `9.99`, `eur` → `999`; null for text that is not an amount above zero. */
export function minorOf(text: string, currency: string): number | null {
  if (!/^[a-z]{3}$/.test(currency)) return null;
  const match = /^(\d{1,8})(?:\.(\d{1,3}))?$/.exec(text.trim());
  const digits = digitsOf(currency);
  if (match === null || (match[2] ?? "").length > digits) return null;
  const amount = Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`);
  return amount >= 1 && amount <= 99_999_999 ? amount : null;
}

/** `999`, `eur` → `9.99`, for an input field. */
export const majorOf = (amount: number, currency: string) =>
  (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
