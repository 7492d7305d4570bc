/** Amounts are counted in micropoints, as whole `bigint`s: 1 point = 1,000,000 micropoints. */
export type Micropoints = bigint;

export const MICROPOINTS_PER_POINT = 1_000_000n;

/** The largest amount in a single row: 10¹⁵ micropoints, a thousand million points. */
export const MICROPOINTS_MAX = 1_000_000_000_000_000n;

/** The decimal form of an amount: no sign, up to nine digits and six decimals. */
export const amountPattern = /^\d{1,9}(\.\d{1,6})?$/;

const pointsPattern = /^([+-]?)(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * Parses decimal points with up to six places, such as `"12.5"`; null when the text has another
 * form.
 */
export function parsePoints(text: string): Micropoints | null {
  const match = pointsPattern.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = "0", fraction = ""] = match;
  const amount = BigInt(whole) * MICROPOINTS_PER_POINT + BigInt(fraction.padEnd(6, "0"));
  return sign === "-" ? -amount : amount;
}

/** Formats points with exactly six places: `12.500000`. */
export function formatPoints(amount: Micropoints): string {
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % MICROPOINTS_PER_POINT).toString().padStart(6, "0");
  return `${amount < 0n ? "-" : ""}${absolute / MICROPOINTS_PER_POINT}.${fraction}`;
}

/**
 * Points as a JSON number with up to six places, for API answers. Exact to the micropoint: up to
 * `MICROPOINTS_MAX`, doubles distinguish all multiples of 10⁻⁶.
 */
export function pointsNumber(amount: Micropoints): number {
  return Number(formatPoints(amount));
}

/**
 * Removes the zeros at the end of a decimal's fraction: `1.50` becomes `1.5`, `2.000000` becomes
 * `2`.
 */
export function shortDecimal(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}
