/** Amounts of money in the currency's smallest unit, and as formatted text. */
import { moneyDigits } from "../money/currency";

export { moneyText } from "../money/currency";

/** Millionths of a currency, formatted with two decimals. For estimates. */
export function millionthsText(amount: string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    Number(BigInt(amount) / 10_000n) / 100,
  );
}

/** `4.4144`, `EUR` → `€4.4144`: the decimals that it has, for prices of a million tokens or of a point. */
export const decimalMoneyText = (amount: string, currency: string, locale: string) =>
  new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 6 }).format(
    Number(amount),
  );

/** `9.99`, `eur` → `999`; null for text that is not an amount above zero. */
export function minorOf(text: string, currency: string): number | null {
  if (!/^[a-z]{3}$/.test(currency)) return null;
  const match = /^(\d{1,8})(?:\.(\d{1,3}))?$/.exec(text.trim());
  const digits = moneyDigits(currency);
  if (match === null || (match[2] ?? "").length > digits) return null;
  const amount = Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`);
  return amount >= 1 && amount <= 99_999_999 ? amount : null;
}

/** `999`, `eur` → `9.99`, for an input field. */
export const majorOf = (amount: number, currency: string) =>
  (amount / 10 ** moneyDigits(currency)).toFixed(moneyDigits(currency));
