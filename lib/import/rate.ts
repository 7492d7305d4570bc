/** The source's units as points: a quota is a whole number, a ratio is a decimal number. */
import { MICROPOINTS_PER_POINT, type Micropoints } from "../money/points";

/** The sources' own default: 500,000 are one dollar. */
export const QUOTA_PER_POINT_DEFAULT = 500_000n;
export const QUOTA_PER_POINT_MAX = 1_000_000_000_000n;

/** Rounded up to the micropoint, in favour of who has it. */
export const pointsOfQuota = (quota: bigint, quotaPerPoint: bigint): Micropoints =>
  (quota * MICROPOINTS_PER_POINT + (quota > 0n ? quotaPerPoint - 1n : 0n)) / quotaPerPoint;

const DIGITS = 12;
const scale = 10n ** BigInt(DIGITS);

/** A decimal number times 10¹²; null for what is none, negative, or too large to be a ratio. */
export function scaled(value: unknown): bigint | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !(number >= 0 && number < 1e9)) return null;
  return BigInt(number.toFixed(DIGITS).replace(".", ""));
}

const rounded = (above: bigint, below: bigint) => (above + below / 2n) / below;

/** What a million tokens cost at a ratio (a token at ratio 1 costs 1 quota), times further ratios. */
export const pricePerMillion = (quotaPerPoint: bigint, ...ratios: readonly bigint[]): Micropoints =>
  rounded(
    ratios.reduce((product, ratio) => product * ratio, 1_000_000n * MICROPOINTS_PER_POINT),
    quotaPerPoint * scale ** BigInt(ratios.length),
  );

/** What one call costs at a price in the source's currency, of which one is `quotaPerUnit`. */
export const pricePerCall = (
  price: bigint,
  quotaPerUnit: bigint,
  quotaPerPoint: bigint,
): Micropoints => rounded(price * quotaPerUnit * MICROPOINTS_PER_POINT, quotaPerPoint * scale);

/** A ratio as a multiplier in parts per million, and whether that is all of it. */
export function multiplierOfRatio(ratio: bigint): { ppm: number; isExact: boolean } {
  const step = scale / 1_000_000n;
  return { ppm: Number(rounded(ratio, step)), isExact: ratio % step === 0n };
}
