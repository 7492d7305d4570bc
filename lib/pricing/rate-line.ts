/** A rate as a line of text, such as `image size=1024x1024 quality=high 20`. */
import { selectors } from "../contract/units";
import { formatPoints, shortDecimal } from "../money/points";
import type { Rate } from "./rate";

export function rateLine(rate: Rate): string {
  const ordered = selectors.flatMap((name) => {
    const value = rate[name];
    if (value === undefined) return [];
    return [`${name}=${typeof value === "boolean" ? (value ? "yes" : "no") : value}`];
  });
  return [rate.unit, ...ordered, shortDecimal(formatPoints(rate.amount))].join(" ");
}
