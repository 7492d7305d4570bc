/** Amounts of money as whole numbers of the currency's smallest unit, and as people write them. */

/** Where the payment provider counts otherwise than the currency's own digits. */
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

/** Millionths of a currency, as text, to two digits: for estimates. */
export function millionthsText(amount: string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    Number(BigInt(amount) / 10_000n) / 100,
  );
}

/** `9.99`, `eur` → `999`; null for what is no amount of the currency above zero. */
export function minorOf(text: string, currency: string): number | null {
  if (!/^[a-z]{3}$/.test(currency)) return null;
  const match = /^(\d{1,8})(?:\.(\d{1,3}))?$/.exec(text.trim());
  const digits = digitsOf(currency);
  if (match === null || (match[2] ?? "").length > digits) return null;
  const amount = Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`);
  return amount >= 1 && amount <= 99_999_999 ? amount : null;
}

/** `999`, `eur` → `9.99`, as a field holds it. */
export const majorOf = (amount: number, currency: string) =>
  (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
