/** Points are counted in micropoints, whole `bigint`s: 1 point = 1,000,000 micropoints. */
export type Micropoints = bigint;

export const MICROPOINTS_PER_POINT = 1_000_000n;

/** The largest amount any single row may carry: 10¹⁵ micropoints, a thousand million points. */
export const MICROPOINTS_MAX = 1_000_000_000_000_000n;

/** Points as people and programs write an amount: no sign, up to nine digits and six decimals. */
export const amountPattern = /^\d{1,9}(\.\d{1,6})?$/;

const pointsPattern = /^([+-]?)(\d{1,9})(?:\.(\d{1,6}))?$/;

/** Reads decimal points with up to six places, such as `"12.5"`; null when the text is anything else. */
export function parsePoints(text: string): Micropoints | null {
  const match = pointsPattern.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = "0", fraction = ""] = match;
  const amount = BigInt(whole) * MICROPOINTS_PER_POINT + BigInt(fraction.padEnd(6, "0"));
  return sign === "-" ? -amount : amount;
}

/** Writes points with exactly six places: `12.500000`. */
export function formatPoints(amount: Micropoints): string {
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % MICROPOINTS_PER_POINT).toString().padStart(6, "0");
  return `${amount < 0n ? "-" : ""}${absolute / MICROPOINTS_PER_POINT}.${fraction}`;
}

/**
 * Points as a JSON number with up to six places, for API answers.
 * Exact to the micropoint: a double holds every multiple of 10⁻⁶ up to `MICROPOINTS_MAX` apart from its neighbours.
 */
export function pointsNumber(amount: Micropoints): number {
  return Number(formatPoints(amount));
}

/** A decimal text without the zeros that end its fraction: `1.50` is `1.5`, `2.000000` is `2`. */
export function shortDecimal(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}
