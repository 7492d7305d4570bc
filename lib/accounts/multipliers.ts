import { invalidValue } from "../failures/relay-error";
import { MULTIPLIER_PPM_MAX } from "../pricing/price";

/** Below it, a multiplier gives the models away: points are given as points, which are recorded. */
const MULTIPLIER_PPM_MIN = 10_000;

/** `850000` → `0.85`. */
export function formatMultiplier(ppm: number): string {
  const fraction = (ppm % 1_000_000)
    .toString()
    .padStart(6, "0")
    .replace(/(?<!0)0+$/, "");
  return `${Math.floor(ppm / 1_000_000)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The same for one that may be absent: null. */
export const formatOwnMultiplier = (ppm: number | null): string | null =>
  ppm === null ? null : formatMultiplier(ppm);

/** `0.85` → `850000`; throws `invalid_value` for anything but a decimal from 0.01 to 100. */
export function parseMultiplier(text: string): number {
  const match = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text.trim());
  const ppm =
    match === null ? 0 : Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
  if (ppm < MULTIPLIER_PPM_MIN || ppm > MULTIPLIER_PPM_MAX) {
    throw invalidValue(
      "value",
      `The multiplier must be a number from ${formatMultiplier(MULTIPLIER_PPM_MIN)} to ${MULTIPLIER_PPM_MAX / 1_000_000} with up to six decimals.`,
    );
  }
  return ppm;
}
