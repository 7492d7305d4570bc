/**
 * Compares a bill with our own book, and gives every difference a cause and an amount. The amounts of
 * the differences add up to what is billed less what is owed. Pure.
 */
import type { TokenUsage } from "../pricing/usage";
import {
  type AnsweredCall,
  type BillLine,
  billsNothing,
  type Difference,
  isAnswered,
  isSameModel,
  type ModelRates,
  modelFamily,
  type OwnCall,
  OwnTests,
  sumOfAmounts,
  sumOfUsages,
} from "./bill-line";
import { Comparison, isAway, isWhole, ratesAt } from "./comparison";
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

/** Calls of ours whose ids the bill does not name, found by their model, tokens and time. */
class Nameless {
  readonly #calls = new Map<string, AnsweredCall[]>();

  constructor(calls: readonly OwnCall[]) {
    for (const call of calls.filter(isAnswered)) {
      const key = keyOf(call.model, call.usage);
      const same = this.#calls.get(key);
      if (same) same.push(call);
      else this.#calls.set(key, [call]);
    }
  }

  /** The call that is for a line, once. */
  take(line: BillLine): AnsweredCall | undefined {
    const same = this.#calls.get(keyOf(line.model, line.usage)) ?? [];
    const place = same.findIndex(
      (call) => !isAway(line, call) && isSameModel(call.model, line.model),
    );
    return place < 0 ? undefined : same.splice(place, 1)[0];
  }
}

const keyOf = (model: string, { inputTokens, outputTokens }: TokenUsage) =>
  `${inputTokens} ${outputTokens} ${modelFamily(model)}`;

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
    const cause = call.isTest ? "own_test" : "failed_call";
    for (const line of lines)
      if (!billsNothing(line)) comparison.note(cause, line, line.amount ?? 0n);
    return;
  }
  const line = asOne(lines, usage);
  if (line === undefined) return;
  comparison.compare(line, { ...call, usage });
  for (const more of lines.slice(line.roundings ?? 1))
    comparison.note("billed_twice", more, more.amount ?? 0n);
}

/** Each line is for a call: that of its id, or one that no line names and that has the same model, tokens and time. */
function compareCalls(comparison: Comparison, lines: readonly BillLine[], book: Book): void {
  const { calls, from, to, isElsewhere } = book;
  const byRef = new Map(
    calls.flatMap((call) => (call.ref === null ? [] : [[call.ref.toLowerCase(), call]])),
  );
  const each = [...byRef.values(), ...calls.filter(({ ref }) => ref === null)];
  const named = new Set(lines.map(({ ref }) => ref?.toLowerCase() ?? ""));
  const unnamed = each.filter(
    ({ ref }) => ref === null || !(named.has(ref.toLowerCase()) || isElsewhere?.(ref)),
  );
  const nameless = new Nameless(unnamed);
  const tests = new OwnTests(
    unnamed,
    (line, test) => !isAway(line, test) && isSameModel(line.model, test.model),
  );
  const billed = new Map<OwnCall, BillLine[]>();
  for (const line of lines) {
    const call = byRef.get(line.ref?.toLowerCase() ?? "") ?? nameless.take(line);
    if (call === undefined) {
      const cause = tests.take(line) ? "own_test" : "unknown_call";
      if (!billsNothing(line)) comparison.note(cause, line, line.amount ?? 0n);
    } else if (line.ref !== null && isElsewhere?.(line.ref))
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
  for (const call of each.filter(isAnswered))
    if (isDue(call) && !billed.has(call)) comparison.missing(call);
}

/** A bill of one channel against the calls of its time. */
export function reconcile(lines: readonly BillLine[], book: Book): Reconciliation {
  const comparison = new Comparison(ratesAt(book.rates), book.step);
  // One line without an id does not make sums of a bill of calls. Days without ids are sums.
  const isByHour =
    lines.every(({ ref }) => ref === null) &&
    (lines.some(({ requests }) => requests !== 1) ||
      lines.every(({ spanMs }) => spanMs !== undefined));
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
