/** A bill by hour or day and model: sums against sums. */
import type { TokenUsage } from "../pricing/usage";
import {
  type AnsweredCall,
  type BillLine,
  billsNothing,
  isAnswered,
  type OwnCall,
  OwnTests,
  sumOfAmounts,
} from "./bill-line";
import type { Comparison } from "./comparison";
import { withRequests } from "./owed";

const HOUR_MS = 3_600_000;

/** The beginning of the span of a time: spans are as long as the longest line, and begin with the first. */
function spansOf(lines: readonly BillLine[]): (time: number) => number {
  const span = lines.reduce((most, { spanMs = 0 }) => Math.max(most, spanMs), HOUR_MS);
  const shift = (lines.find(({ spanMs }) => spanMs === span)?.at ?? 0) % span;
  return (time) => Math.floor((time - shift) / span) * span + shift;
}

interface Hour {
  readonly at: number;
  readonly model: string;
  readonly lines: BillLine[];
  readonly parts: AnsweredCall[];
  failed: number;
  readonly tests: OwnCall[];
}

function hoursOf(lines: readonly BillLine[], calls: readonly OwnCall[]): Map<number, Hour[]> {
  const hours = new Map<number, Map<string, Hour>>();
  const startOf = spansOf(lines);
  const of = (time: number, model: string) => {
    const at = startOf(time);
    const models = hours.get(at) ?? new Map<string, Hour>();
    hours.set(at, models);
    const known = models.get(model.toLowerCase());
    if (known) return known;
    const hour: Hour = { at, model, lines: [], parts: [], failed: 0, tests: [] };
    models.set(model.toLowerCase(), hour);
    return hour;
  };
  for (const line of lines) of(line.at, line.model).lines.push(line);
  for (const call of calls) {
    const hour = of(call.at, call.model);
    if (call.isTest) hour.tests.push(call);
    else if (isAnswered(call)) hour.parts.push(call);
    else hour.failed++;
  }
  const sorted = [...hours].toSorted(([one], [other]) => one - other);
  return new Map(sorted.map(([at, models]) => [at, [...models.values()]]));
}

/**
 * One hour, where the bill and our book name a model in different ways: what only one of them names
 * counts with the same model of the other one.
 */
function joined(comparison: Comparison, hour: readonly Hour[]): Hour[] {
  const isBilledOnly = ({ lines, parts }: Hour) => lines.length > 0 && parts.length === 0;
  const isOwnOnly = ({ lines, parts }: Hour) => lines.length === 0 && parts.length > 0;
  const kept = new Set(hour);
  const join = (from: Hour, into: Hour) => {
    into.lines.push(...from.lines);
    into.parts.push(...from.parts);
    into.failed += from.failed;
    into.tests.push(...from.tests);
    kept.delete(from);
  };
  for (const billed of hour.filter(isBilledOnly)) {
    const same = [...kept].filter(
      (own) => own.parts.length > 0 && comparison.priceFor(billed, own).isSame,
    );
    const into = same.find(isOwnOnly) ?? same[0];
    if (into !== undefined) join(billed, into);
  }
  for (const own of [...kept].filter(isOwnOnly)) {
    const into = [...kept].find(
      (other) => other.lines.length > 0 && comparison.priceFor(other, own).isSame,
    );
    if (into !== undefined) join(own, into);
  }
  return [...kept];
}

/** What a line has beside what is ours. */
const moreOf = ({ usage }: BillLine, own: TokenUsage) => ({
  usage: {
    inputTokens: usage.inputTokens - own.inputTokens,
    outputTokens: usage.outputTokens - own.outputTokens,
  },
});

/** Each hour of a model is compared as one call of all its tokens. */
export function compareHours(
  comparison: Comparison,
  lines: readonly BillLine[],
  calls: readonly OwnCall[],
): void {
  const hours = [...hoursOf(lines, calls).values()].flatMap((hour) => joined(comparison, hour));
  for (const { at, model, lines: billed, parts, failed, tests } of hours) {
    const of = { ref: null, at, model };
    const usage = withRequests(parts.map((part) => part.usage));
    const call = { ...of, usage, parts };
    if (billed.length === 0) {
      if (parts.length > 0) comparison.missing(call);
      continue;
    }
    const amount = sumOfAmounts(billed);
    const line = {
      ...of,
      requests: billed.reduce((sum, { requests }) => sum + requests, 0),
      usage: withRequests(billed.map((each) => ({ ...each.usage, requests: each.requests }))),
      ...(billed.every(({ isUntold }) => isUntold) && { isUntold: true as const }),
      amount,
      // Each call's amount may be rounded to the last millionth, and then added up.
      roundings: comparison.step > 1n ? billed.length : Math.max(billed.length, parts.length),
    };
    const requests = line.requests - (usage.requests ?? 0);
    const isMore = requests > 0;
    const isTested = new OwnTests(tests, () => true).take({
      ...line,
      ...moreOf(line, usage),
      requests,
    });
    const cause = isTested ? "own_test" : failed > 0 ? "failed_call" : "unknown_call";
    if (parts.length === 0) {
      if (!billsNothing(line)) comparison.note(cause, line, amount ?? 0n);
    } else comparison.compare(line, call, isMore ? cause : undefined);
  }
}
