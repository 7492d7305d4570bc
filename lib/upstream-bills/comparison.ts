/** How a line of a bill differs from the call that it is for. Pure. */
import type { DifferenceCause } from "../contract/bill-words";
import { priceAt } from "../pricing/price-at";
import type { Price } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";
import {
  type BillLine,
  type Difference,
  isOpen,
  isSameModel,
  isSameName,
  type ModelRates,
  type OwnCall,
  usageParts,
} from "./bill-line";
import { costOf, type Owed, owedFor } from "./owed";

/** So many rounded amounts tell whether they are rounded to the nearest. */
const ROUNDED_MIN = 20n;
/** In millionths. */
const CENT = 10_000n;
/** Clocks are set back by an hour, and differ; a line may name the beginning of a call or its end. */
export const TIME_TOLERANCE_MS = 65 * 60_000;

/** The rates of a model at a time; null where none are noted. */
export type RatesAt = (model: string, at: number) => Price | null;

export function ratesAt(rates: readonly ModelRates[]): RatesAt {
  const newest = rates.toSorted((one, other) => other.from - one.from);
  return (model, at) => {
    const own = newest.find((each) => isSameName(each.model, model) && each.from <= at);
    // A snapshot costs what its name does, as long as nothing else is noted of it.
    const open = (each: ModelRates) => isOpen(each.model) && isSameModel(each.model, model);
    return (own ?? newest.find((each) => open(each) && each.from <= at))?.price ?? null;
  };
}

const textOf = (price: Price | null) =>
  JSON.stringify(price, (_, value) => (typeof value === "bigint" ? String(value) : value));

const isSame = (one: TokenUsage, other: TokenUsage) =>
  usageParts.every((part) => (one[part] ?? 0) === (other[part] ?? 0));

/** Why tokens differ, where it is one of the ways that upstreams are known for. */
function tokenCause(billed: TokenUsage, owed: TokenUsage): DifferenceCause {
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
function billedUsage({ usage: line, isUntold }: BillLine, own: TokenUsage): TokenUsage {
  if (isUntold) return own;
  return {
    ...line,
    ...(line.images === undefined && own.images !== undefined && { images: own.images }),
    ...(line.seconds === undefined && own.seconds !== undefined && { seconds: own.seconds }),
    cachedInputTokens:
      line.cachedInputTokens ?? Math.min(own.cachedInputTokens ?? 0, line.inputTokens),
    cacheWriteTokens: line.cacheWriteTokens ?? own.cacheWriteTokens ?? 0,
    reasoningTokens: line.reasoningTokens ?? Math.min(own.reasoningTokens ?? 0, line.outputTokens),
    ...(own.ordered !== undefined && { ordered: line.ordered ?? own.ordered }),
  };
}

/** Whether a call was made at another time than a line is for. */
export const isAway = (
  { at, spanMs = 0 }: Pick<BillLine, "at" | "spanMs">,
  call: Pick<OwnCall, "at">,
): boolean => call.at < at - TIME_TOLERANCE_MS || call.at > at + spanMs + TIME_TOLERANCE_MS;

/** Whether a line has all tokens of a call. */
export const isWhole = (line: BillLine, own: TokenUsage) => isSame(billedUsage(line, own), own);

export class Comparison {
  readonly differences: Difference[] = [];
  owed = 0n;
  agreed = 0;
  readonly #rounded = { count: 0n, sum: 0n, isUp: false };

  constructor(
    readonly ratesAt: RatesAt,
    readonly step: bigint,
  ) {}

  /**
   * The rates that count for a line of a call: those of the name that was asked. A bill may name a
   * snapshot of it, as long as no other rates are noted for that name. The name that the answer gave
   * proves nothing: who writes the bill wrote it, too.
   */
  priceFor(line: Pick<BillLine, "model" | "at">, call: Pick<OwnCall, "model" | "at">) {
    const asked = this.ratesAt(call.model, call.at);
    const isFamily = isSameModel(line.model, call.model);
    const named = isFamily ? this.ratesAt(line.model, call.at) : null;
    const price = asked ?? named;
    return { price, isSame: isFamily && (named === null || textOf(named) === textOf(price)) };
  }

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
  compare(line: BillLine, call: OwnCall & Owed, cause?: DifferenceCause): void {
    const before = this.differences.length;
    const { price, isSame: isSameOne } = this.priceFor(line, call);
    const usage = billedUsage(line, call.usage);
    if (price === null) {
      this.note("no_rate", line, line.amount ?? 0n);
      return;
    }
    const owed = owedFor(call, price);
    this.owed += owed;
    let explained = owed;
    if (!isSame(usage, call.usage)) {
      // Nobody knows how long the calls are that a sum has more.
      const rates = call.parts === undefined ? price : priceAt(price, { inputTokens: 0 });
      const more = costOf(usage, rates, call.at) - costOf(call.usage, rates, call.at);
      const ofBilled = owed + more;
      const tokens = { billed: usage, owed: call.usage };
      this.note(cause ?? tokenCause(usage, call.usage), line, ofBilled - owed, tokens);
      explained = ofBilled;
    }
    if (!isSameOne) explained += this.#elsewhere("other_model", line, usage, explained);
    if (isAway(line, call)) explained += this.#elsewhere("other_time", line, usage, explained);
    if (line.amount !== null) this.#rest(line, line.amount - explained);
    if (this.differences.length === before) this.agreed++;
  }

  /** A call of ours that the bill does not have. */
  missing(call: OwnCall & Owed): void {
    const price = this.ratesAt(call.model, call.at);
    const owed = price === null ? 0n : owedFor(call, price);
    this.owed += owed;
    this.note("not_billed", call, -owed);
  }

  /** What the line's own model and time add to what is explained so far; nothing without rates. */
  #elsewhere(
    cause: "other_model" | "other_time",
    line: BillLine,
    usage: TokenUsage,
    explained: bigint,
  ): bigint {
    const price = this.ratesAt(line.model, line.at);
    const more = price === null ? 0n : costOf(usage, price, line.at) - explained;
    this.note(cause, line, more);
    return more;
  }

  /**
   * What tokens, model and time do not explain: the rate, or how amounts are rounded. What is owed is
   * rounded up, so a line may have less by a whole step, but not more by one.
   */
  #rest({ roundings = 1, ...line }: BillLine, rest: bigint): void {
    const bound = this.step * BigInt(roundings);
    if (rest < -bound || rest >= bound) this.note("other_rate", line, rest);
    else {
      this.#rounded.count += BigInt(roundings);
      this.#rounded.sum += rest;
      // No amount that is rounded to the nearest is above by more than half a step; but what is owed is
      // rounded up to the millionth itself.
      this.#rounded.isUp ||= this.step > 1n && 2n * rest > bound;
    }
  }

  /** One difference for what rounding adds: nearly nothing, unless amounts are always rounded up. */
  noteRounding(): void {
    const { count, sum, isUp } = this.#rounded;
    if (sum === 0n) return;
    // The last millionth is rounded up here, too.
    const isBiased = this.step > 1n && count >= ROUNDED_MIN && 4n * sum > count * this.step;
    this.note(isUp || isBiased ? "rounded_up" : "rounding", { ref: null, at: 0, model: "" }, sum);
  }

  /** A total of whole cents differs from the sum of finer lines by half a cent at most. */
  noteTotal(total: bigint, billed: bigint): void {
    const rest = total - billed;
    if (rest === 0n) return;
    const isRounded = total % CENT === 0n && 2n * (rest < 0n ? -rest : rest) <= CENT;
    this.note(isRounded ? "rounding" : "other_total", { ref: null, at: 0, model: "" }, rest);
  }
}
