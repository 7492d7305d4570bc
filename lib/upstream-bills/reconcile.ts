/**
 * Compares a bill with our own book, and gives every difference a cause and an amount. The amounts of
 * the differences add up to what is billed less what is owed. Pure.
 */
import type { TokenUsage } from "../pricing/usage";
import type { BillLine, Difference, ModelRates, OwnCall } from "./bill-line";
import { Comparison, ratesAt, TIME_TOLERANCE_MS } from "./comparison";
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
  `${inputTokens} ${outputTokens} ${model}`;

/** Each line is for a call. */
function compareCalls(comparison: Comparison, lines: readonly BillLine[], book: Book): void {
  const { calls, from, to } = book;
  const nameless = new Nameless(calls);
  const byRef = new Map(calls.flatMap((call) => (call.ref === null ? [] : [[call.ref, call]])));
  const billed = new Set<string>();
  for (const line of lines) {
    const ref = line.ref ?? "";
    const call = byRef.get(ref) ?? nameless.take(line);
    if (call === undefined) comparison.note("unknown_call", line, line.amount ?? 0n);
    else if (billed.has(ref) && call.ref !== null)
      comparison.note("billed_twice", line, line.amount ?? 0n);
    else if (call.usage === null) comparison.note("failed_call", line, line.amount ?? 0n);
    else comparison.compare(line, { ...call, usage: call.usage });
    billed.add(ref);
  }
  const isDue = ({ at }: OwnCall) => at >= from && at < to;
  for (const call of nameless.left()) if (isDue(call)) comparison.missing(call);
  for (const call of byRef.values())
    if (call.usage !== null && isDue(call) && !billed.has(call.ref ?? ""))
      comparison.missing({ ...call, usage: call.usage });
}

/** A bill of one channel against the calls of its time. */
export function reconcile(lines: readonly BillLine[], book: Book): Reconciliation {
  const comparison = new Comparison(ratesAt(book.rates), book.step);
  const isByHour = lines.some(({ requests }) => requests !== 1);
  const due = book.calls.filter(({ at }) => at >= book.from && at < book.to);
  if (isByHour) compareHours(comparison, lines, due);
  else compareCalls(comparison, lines, book);
  comparison.noteRounding();
  const billed = lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  if (book.total !== null && book.total !== billed)
    comparison.note("other_total", { ref: null, at: 0, model: "" }, book.total - billed);
  return {
    lines: lines.length,
    billed: book.total ?? billed,
    owed: comparison.owed,
    agreed: comparison.agreed,
    differences: comparison.differences,
  };
}
