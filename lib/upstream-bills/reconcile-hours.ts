/** A bill by hour and model: sums against sums. */
import type { TokenUsage } from "../pricing/usage";
import { type BillLine, type OwnCall, sumOfAmounts, sumOfUsages } from "./bill-line";
import type { Comparison } from "./comparison";

const HOUR_MS = 3_600_000;
const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

/** With the number of requests. */
const sumOf = (usages: readonly TokenUsage[]): TokenUsage => ({
  ...sumOfUsages(usages),
  requests: usages.reduce((sum, { requests = 1 }) => sum + requests, 0),
});

interface Hour {
  readonly at: number;
  readonly model: string;
  readonly lines: BillLine[];
  readonly usages: TokenUsage[];
  failed: number;
}

function hoursOf(lines: readonly BillLine[], calls: readonly OwnCall[]): Hour[] {
  const hours = new Map<string, Hour>();
  const of = (time: number, model: string) => {
    const at = hourOf(time);
    const key = `${at} ${model.toLowerCase()}`;
    const known = hours.get(key);
    if (known) return known;
    const hour: Hour = { at, model, lines: [], usages: [], failed: 0 };
    hours.set(key, hour);
    return hour;
  };
  for (const line of lines) of(line.at, line.model).lines.push(line);
  for (const { at, model, usage } of calls) {
    if (usage === null) of(at, model).failed++;
    else of(at, model).usages.push(usage);
  }
  return [...hours.values()].toSorted((one, other) => one.at - other.at);
}

/** Each hour of a model is compared as one call of all its tokens. */
export function compareHours(
  comparison: Comparison,
  lines: readonly BillLine[],
  calls: readonly OwnCall[],
): void {
  for (const { at, model, lines: billed, usages, failed } of hoursOf(lines, calls)) {
    const of = { ref: null, at, model };
    const usage = sumOf(usages);
    const call = { ...of, usage };
    if (billed.length === 0) {
      if (usages.length > 0) comparison.missing(call);
      continue;
    }
    const amount = sumOfAmounts(billed);
    const line = {
      ...of,
      requests: billed.reduce((sum, { requests }) => sum + requests, 0),
      usage: sumOf(billed.map((each) => ({ ...each.usage, requests: each.requests }))),
      amount,
      roundings: billed.length,
    };
    const isMore = line.requests > (usage.requests ?? 0);
    const cause = failed > 0 ? "failed_call" : "unknown_call";
    if (usages.length === 0) comparison.note(cause, line, amount ?? 0n);
    else comparison.compare(line, call, isMore ? cause : undefined);
  }
}
