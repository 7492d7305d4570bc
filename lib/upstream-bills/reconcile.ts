/**
 * Compares a bill with our own book, and gives every difference a cause and an amount. The amounts of
 * the differences add up to what is billed less what is owed. Pure.
 */
import type { TokenUsage } from "../pricing/usage";
import {
  type BillLine,
  type Difference,
  type ModelRates,
  type OwnCall,
  sumOfAmounts,
  sumOfUsages,
} from "./bill-line";
import { Comparison, isWhole, ratesAt, TIME_TOLERANCE_MS } from "./comparison";
import { compareHours } from "./reconcile-hours";

export interface Book {
  /** Those of the bill's time, and of an hour before and after it. */
  readonly calls: readonly OwnCall[];
  /** The time that the bill is for, in milliseconds: a call within it should be billed. */
  readonly from: number;
  readonly to: number;
  readonly rates: readonly ModelRates[];
  /** The step in which the bill's amounts are written, in millionths. */
  readonly step: bigint;
  /** The total that the bill names; null where it names none. */
  readonly total: bigint | null;
  /** Whether another bill has the call with an id; absent where there is no other one. */
  readonly isElsewhere?: (ref: string) => boolean;
}

export interface Reconciliation {
  readonly lines: number;
  readonly billed: bigint;
  readonly owed: bigint;
  /** Lines that agree in everything. */
  readonly agreed: number;
  readonly differences: readonly Difference[];
}

/** Calls of ours without an id of the upstream, found by their model, tokens and time. */
class Nameless {
  readonly #calls = new Map<string, (OwnCall & { usage: TokenUsage })[]>();

  constructor(calls: readonly OwnCall[]) {
    for (const call of calls) {
      if (call.ref !== null || call.usage === null) continue;
      const key = keyOf(call.model, call.usage);
      const same = this.#calls.get(key);
      if (same) same.push({ ...call, usage: call.usage });
      else this.#calls.set(key, [{ ...call, usage: call.usage }]);
    }
  }

  /** The call that is for a line, once. */
  take({ model, usage, at }: BillLine): (OwnCall & { usage: TokenUsage }) | undefined {
    const same = this.#calls.get(keyOf(model, usage)) ?? [];
    const place = same.findIndex((call) => Math.abs(call.at - at) <= TIME_TOLERANCE_MS);
    return place < 0 ? undefined : same.splice(place, 1)[0];
  }

  left(): (OwnCall & { usage: TokenUsage })[] {
    return [...this.#calls.values()].flat();
  }
}

const keyOf = (model: string, { inputTokens, outputTokens }: TokenUsage) =>
  `${inputTokens} ${outputTokens} ${model.toLowerCase()}`;

/** A bill may have the tokens in and out of a call, or other parts of it, on lines of their own. */
function asOne(lines: readonly BillLine[], own: TokenUsage): BillLine | undefined {
  const [first] = lines;
  if (first === undefined || lines.length === 1 || lines.some((line) => isWhole(line, own)))
    return first;
  const usage = sumOfUsages(lines.map((line) => line.usage));
  const whole = { ...first, usage, amount: sumOfAmounts(lines), roundings: lines.length };
  return isWhole(whole, own) ? whole : first;
}

function compareLines(comparison: Comparison, call: OwnCall, lines: readonly BillLine[]): void {
  const { usage } = call;
  if (usage === null) {
    for (const line of lines) comparison.note("failed_call", line, line.amount ?? 0n);
    return;
  }
  const line = asOne(lines, usage);
  if (line === undefined) return;
  comparison.compare(line, { ...call, usage });
  for (const more of lines.slice(line.roundings ?? 1))
    comparison.note("billed_twice", more, more.amount ?? 0n);
}

/** Each line is for a call. */
function compareCalls(comparison: Comparison, lines: readonly BillLine[], book: Book): void {
  const { calls, from, to, isElsewhere } = book;
  const nameless = new Nameless(calls);
  const byRef = new Map(
    calls.flatMap((call) => (call.ref === null ? [] : [[call.ref.toLowerCase(), call]])),
  );
  const billed = new Map<OwnCall, BillLine[]>();
  for (const line of lines) {
    const call = byRef.get(line.ref?.toLowerCase() ?? "") ?? nameless.take(line);
    if (call === undefined) comparison.note("unknown_call", line, line.amount ?? 0n);
    else if (line.ref !== null && isElsewhere?.(line.ref))
      comparison.note("billed_twice", line, line.amount ?? 0n);
    else {
      const known = billed.get(call);
      if (known === undefined) billed.set(call, [line]);
      else known.push(line);
    }
  }
  for (const [call, all] of billed) compareLines(comparison, call, all);
  const isDue = ({ at, ref }: OwnCall) =>
    at >= from && at < to && !(ref !== null && isElsewhere?.(ref));
  for (const call of nameless.left()) if (isDue(call)) comparison.missing(call);
  for (const call of byRef.values())
    if (call.usage !== null && isDue(call) && !billed.has(call))
      comparison.missing({ ...call, usage: call.usage });
}

/** A bill of one channel against the calls of its time. */
export function reconcile(lines: readonly BillLine[], book: Book): Reconciliation {
  const comparison = new Comparison(ratesAt(book.rates), book.step);
  // One line without an id does not make sums of a bill of calls.
  const isByHour =
    lines.some(({ requests }) => requests !== 1) && lines.every(({ ref }) => ref === null);
  const due = book.calls.filter(({ at }) => at >= book.from && at < book.to);
  if (isByHour) compareHours(comparison, lines, due);
  else compareCalls(comparison, lines, book);
  comparison.noteRounding();
  const billed = lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  if (book.total !== null) comparison.noteTotal(book.total, billed);
  return {
    lines: lines.length,
    billed: book.total ?? billed,
    owed: comparison.owed,
    agreed: comparison.agreed,
    differences: comparison.differences,
  };
}
