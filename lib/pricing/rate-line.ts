/** A rate as a line of text, such as `image size=1024x1024 quality=high 20`. */
import { isTruthSelector, type Selector, selectors, type Unit, units } from "../contract/units";
import { formatPoints, parsePoints, shortDecimal } from "../money/points";
import type { Rate, Selectors } from "./rate";

const isUnit = (word: string): word is Unit => units.some((unit) => unit === word);
const isSelector = (word: string): word is Selector => selectors.some((name) => name === word);

/** Lines say yes and no; files and refusals, which people copy from, true and false. */
function truthOf(value: string): boolean | null {
  if (value === "yes" || value === "true") return true;
  return value === "no" || value === "false" ? false : null;
}

export function rateLine(rate: Rate): string {
  const ordered = selectors.flatMap((name) => {
    const value = rate[name];
    if (value === undefined) return [];
    return [`${name}=${typeof value === "boolean" ? (value ? "yes" : "no") : value}`];
  });
  return [rate.unit, ...ordered, shortDecimal(formatPoints(rate.amount))].join(" ");
}

/** Null when the line is no rate. */
export function parseRateLine(line: string): Rate | null {
  const [unit = "", ...words] = line.trim().split(/\s+/);
  const amount = parsePoints(words.pop() ?? "");
  if (!isUnit(unit) || amount === null || amount < 0n) return null;
  const ordered: { -readonly [Name in Selector]?: Selectors[Name] } = {};
  for (const word of words) {
    const [name = "", value = ""] = word.split("=");
    if (!isSelector(name) || value === "" || ordered[name] !== undefined) return null;
    if (!isTruthSelector(name)) ordered[name] = value;
    else {
      const truth = truthOf(value);
      if (truth === null) return null;
      ordered[name] = truth;
    }
  }
  return { unit, amount, ...ordered };
}
