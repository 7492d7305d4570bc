/**
 * Compares a bill with our own book, and gives every difference a cause and an amount. The amounts of
 * the differences add up to what is billed less what is owed. Pure.
 */
import { MULTIPLIER_PPM_ONE, priceOf } from "../pricing/price";
import type { Price } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";
import type { BillLine, Difference, DifferenceCause, ModelRates, OwnCall } from "./bill-line";
import { compareHours } from "./reconcile-hours";

const HOUR_MS = 3_600_000;
/** So many rounded amounts tell whether they are rounded to the nearest. */
const ROUNDED_MIN = 20n;
/** Clocks differ, and a line may name the beginning of a call or its end. */
const TIME_TOLERANCE_MS = HOUR_MS;

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

/** The rates of a model at a time; null where none are noted. */
export type RatesAt = (model: string, at: number) => Price | null;

export function ratesAt(rates: readonly ModelRates[]): RatesAt {
  const newest = rates.toSorted((one, other) => other.from - one.from);
  return (model, at) =>
    newest.find((each) => each.model === model && each.from <= at)?.price ?? null;
}

export const costOf = (usage: TokenUsage, price: Price): bigint =>
  priceOf(usage, price, MULTIPLIER_PPM_ONE);

const counted = (usage: TokenUsage) =>
  [
    usage.inputTokens,
    usage.outputTokens,
    usage.cachedInputTokens ?? 0,
    usage.cacheWriteTokens ?? 0,
    usage.reasoningTokens ?? 0,
    usage.images ?? 0,
    usage.seconds ?? 0,
  ] as const;

const isSame = (one: TokenUsage, other: TokenUsage) =>
  counted(one).every((count, at) => count === counted(other)[at]);

/** Why tokens differ, where it is one of the ways that upstreams are known for. */
export function tokenCause(billed: TokenUsage, owed: TokenUsage): DifferenceCause {
  const cached = owed.cachedInputTokens ?? 0;
  const reasoning = owed.reasoningTokens ?? 0;
  const isInput = billed.inputTokens === owed.inputTokens;
  const isOutput = billed.outputTokens === owed.outputTokens;
  if (cached > 0 && isOutput && billed.inputTokens === owed.inputTokens + cached)
    return "cached_twice";
  if (isInput && isOutput && (billed.cachedInputTokens ?? 0) < cached) return "cached_as_fresh";
  if (reasoning > 0 && isInput && billed.outputTokens === owed.outputTokens + reasoning)
    return "reasoning_twice";
  return "other_tokens";
}

/** What a bill does not tell is taken from our book: an upstream need not print reasoning. */
function billedUsage(line: TokenUsage, own: TokenUsage): TokenUsage {
  return {
    ...line,
    cachedInputTokens:
      line.cachedInputTokens ?? Math.min(own.cachedInputTokens ?? 0, line.inputTokens),
    cacheWriteTokens: line.cacheWriteTokens ?? own.cacheWriteTokens ?? 0,
    reasoningTokens: line.reasoningTokens ?? Math.min(own.reasoningTokens ?? 0, line.outputTokens),
    ...(own.ordered !== undefined && { ordered: line.ordered ?? own.ordered }),
  };
}

export class Comparison {
  readonly differences: Difference[] = [];
  owed = 0n;
  agreed = 0;
  readonly #rounded = { count: 0n, sum: 0n };

  constructor(
    readonly ratesAt: RatesAt,
    readonly step: bigint,
  ) {}

  note(
    cause: DifferenceCause,
    of: Pick<Difference, "ref" | "at" | "model">,
    amount: bigint,
    tokens: Pick<Difference, "billed" | "owed"> = {},
  ): void {
    const { ref, at, model } = of;
    this.differences.push({ cause, ref, at, model, amount, ...tokens });
  }

  /** A line and the call of ours that it is for. `cause`: why its tokens may differ, where it is known. */
  compare(line: BillLine, call: OwnCall & { usage: TokenUsage }, cause?: DifferenceCause): void {
    const before = this.differences.length;
    const price = this.ratesAt(call.model, call.at);
    const usage = billedUsage(line.usage, call.usage);
    if (price === null) {
      this.note("no_rate", line, line.amount ?? 0n);
      return;
    }
    const owed = costOf(call.usage, price);
    this.owed += owed;
    let explained = owed;
    if (!isSame(usage, call.usage)) {
      const ofBilled = costOf(usage, price);
      const tokens = { billed: usage, owed: call.usage };
      this.note(cause ?? tokenCause(usage, call.usage), line, ofBilled - owed, tokens);
      explained = ofBilled;
    }
    if (line.model !== call.model) explained += this.#otherModel(line, usage, explained);
    if (Math.abs(line.at - call.at) > TIME_TOLERANCE_MS)
      explained += this.#otherTime(line, usage, explained);
    if (line.amount !== null) this.#rest(line, line.amount - explained);
    if (this.differences.length === before) this.agreed++;
  }

  /** A call of ours that the bill does not have. */
  missing(call: OwnCall & { usage: TokenUsage }): void {
    const price = this.ratesAt(call.model, call.at);
    const owed = price === null ? 0n : costOf(call.usage, price);
    this.owed += owed;
    this.note("not_billed", call, -owed);
  }

  #otherModel(line: BillLine, usage: TokenUsage, explained: bigint): bigint {
    const price = this.ratesAt(line.model, line.at);
    const more = price === null ? 0n : costOf(usage, price) - explained;
    this.note("other_model", line, more);
    return more;
  }

  #otherTime(line: BillLine, usage: TokenUsage, explained: bigint): bigint {
    const price = this.ratesAt(line.model, line.at);
    const more = price === null ? 0n : costOf(usage, price) - explained;
    this.note("other_time", line, more);
    return more;
  }

  /** What tokens, model and time do not explain: the rate, or how amounts are rounded. */
  #rest(line: BillLine, rest: bigint): void {
    if (rest <= -this.step || rest >= this.step) this.note("other_rate", line, rest);
    else if (this.step > 1n) {
      this.#rounded.count++;
      this.#rounded.sum += rest;
    } else if (rest !== 0n) this.note("other_rate", line, rest);
  }

  /** One difference for what rounding adds: nearly nothing, unless amounts are always rounded up. */
  noteRounding(): void {
    const { count, sum } = this.#rounded;
    if (sum === 0n) return;
    const isUp = count >= ROUNDED_MIN && 4n * sum > count * this.step;
    this.note(isUp ? "rounded_up" : "rounding", { ref: null, at: 0, model: "" }, sum);
  }
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
