/**
 * Formats amounts for people. Input and output are text: points are never converted to floating
 * point.
 */
import { MICROPOINTS_PER_POINT, type Micropoints, shortDecimal } from "../money/points";

const pattern = /^(-?)(\d+)\.(\d{6})$/;

/**
 * Reads an amount of the pages' API, such as `-12.500000`. Throws on anything else, so that no page
 * shows NaN.
 */
export function readPoints(text: string): Micropoints {
  const [, sign, points, rest] = pattern.exec(text) ?? [];
  if (points === undefined || rest === undefined)
    throw new RangeError(`not an amount of points: ${text}`);
  const amount = BigInt(points) * MICROPOINTS_PER_POINT + BigInt(rest);
  return sign ? -amount : amount;
}

function signOf(amount: Micropoints, isSigned: boolean): string {
  if (amount < 0n) return "−";
  return isSigned && amount > 0n ? "+" : "";
}

const inThousands = new Intl.NumberFormat("en");

function write(amount: Micropoints, decimals: string, isSigned: boolean): string {
  const absolute = amount < 0n ? -amount : amount;
  const whole = inThousands.format(absolute / MICROPOINTS_PER_POINT);
  return `${signOf(amount, isSigned)}${whole}${decimals}`;
}

/** `8,412.500000` */
export function exactPoints(text: string, isSigned = false): string {
  return write(readPoints(text), `.${text.slice(-6)}`, isSigned);
}

/** An upstream's amount of money, exact and with at least two decimals: `2.00`, `0.0048`. */
export const upstreamMoney = (text: string): string =>
  exactPoints(text).replace(/(?<=\.\d\d\d*?)0+$/, "");

/**
 * Two decimals, rounded half up, as in `8,412.50`. Amounts below one point get as many decimals as
 * they need: `0.00088`.
 */
export function shortPoints(text: string, isSigned = false): string {
  const amount = readPoints(text);
  const absolute = amount < 0n ? -amount : amount;
  if (absolute < MICROPOINTS_PER_POINT) {
    const decimals = text
      .slice(-6)
      .replace(/(?<!0)0+$/, "")
      .padEnd(2, "0");
    return write(amount, `.${decimals}`, isSigned);
  }
  const hundredths = (absolute + 5_000n) / 10_000n;
  const rounded = (amount < 0n ? -hundredths : hundredths) * 10_000n;
  return write(rounded, `.${(hundredths % 100n).toString().padStart(2, "0")}`, isSigned);
}

/** A price per million tokens without trailing zeros: `1,500`, `0.5`. */
export function priceText(text: string): string {
  return shortDecimal(exactPoints(text));
}

/** The largest amount, unchanged; zero for an empty list. */
export function largestPoints(amounts: readonly string[]): string {
  let [largest, most] = ["0.000000", 0n];
  for (const amount of amounts) {
    const value = readPoints(amount);
    if (value > most) [largest, most] = [amount, value];
  }
  return largest;
}
