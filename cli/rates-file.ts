/** Reads a list of rates from a file. */
import { ratesInput } from "@/lib/contract/rates";
import type { Rate } from "@/lib/pricing/rate";
import { ratesOfText } from "@/lib/pricing/rate-text";
import { UsageError } from "./command";
import { readJsonFile } from "./json-file";

/** In a file `points` may be a number too. */
function withTexts(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((rate: unknown) =>
    typeof rate === "object" && rate !== null && "points" in rate && typeof rate.points === "number"
      ? { ...rate, points: String(rate.points) }
      : rate,
  );
}

/** The rates in `path`: a list, or an object with `rates`. Throws what is wrong with the first. */
export function readRatesFile(path: string): Rate[] {
  const content = readJsonFile(path);
  const list =
    typeof content === "object" && content !== null && "rates" in content ? content.rates : content;
  const read = ratesInput.safeParse(withTexts(list));
  if (read.success) return ratesOfText(read.data);
  const [issue] = read.error.issues;
  throw new UsageError(
    `${path}: rates${issue?.path.map((part) => `[${String(part)}]`).join("")}: ${issue?.message}`,
  );
}
