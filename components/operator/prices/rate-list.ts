import { fieldNamedBy } from "@/components/forms/use-server-form";
import type { RateInput } from "@/lib/contract/rates";
import { formatPoints, shortDecimal } from "@/lib/money/points";
import { parseRateLine, rateLine } from "@/lib/pricing/rate-line";
import { ratesOfText } from "@/lib/pricing/rate-text";

/** Rates as the lines of a text field. */
export const listText = (rates: readonly Parameters<typeof ratesOfText>[0][number][]): string =>
  ratesOfText(rates).map(rateLine).join("\n");

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** The number of the first line that is no rate; null when all are. */
export function wrongLine(text: string): number | null {
  const at = text
    .split("\n")
    .findIndex((line) => line.trim() !== "" && parseRateLine(line) === null);
  return at === -1 ? null : at + 1;
}

/** The rates of a text in which no line is wrong. */
export const listedRates = (text: string): RateInput[] =>
  linesOf(text).flatMap((line) => {
    const rate = parseRateLine(line);
    if (rate === null) return [];
    const { amount, ...rest } = rate;
    return [{ ...rest, points: shortDecimal(formatPoints(amount)) }];
  });

/** All rates are one field. */
export const fieldOfRate = (error: unknown) =>
  fieldNamedBy(error)?.replace(/^rates\[.*/, "rates") ?? null;
