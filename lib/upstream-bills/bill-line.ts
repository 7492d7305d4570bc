/** What an upstream's bill says, and what we know of the same calls. Amounts are millionths of the bill's currency. */
import type { DifferenceCause } from "../contract/bill-words";
import type { Price } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";

/** What a bill counts of a call. */
export const usageParts = [
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "images",
  "seconds",
] as const;

/** The sum of usages. A part that none of them tells stays untold. */
export function sumOfUsages(usages: readonly TokenUsage[]): TokenUsage {
  const told = usageParts.filter((part) => usages.some((usage) => usage[part] !== undefined));
  const of = (part: (typeof usageParts)[number]) =>
    usages.reduce((sum, usage) => sum + (usage[part] ?? 0), 0);
  return {
    inputTokens: 0,
    outputTokens: 0,
    ...Object.fromEntries(told.map((part) => [part, of(part)])),
  };
}

/** The sum of the amounts of lines; null where none has one. */
export function sumOfAmounts(lines: readonly BillLine[]): bigint | null {
  return lines.every(({ amount }) => amount === null)
    ? null
    : lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
}

/** Upstreams write ids and names of models in one case with the answer and in another on the bill. */
export const isSameName = (one: string, other: string) =>
  one === other || one.toLowerCase() === other.toLowerCase();

/** One line of a bill: a call, or the calls of a model within an hour. */
export interface BillLine {
  /** The upstream's id of the call; null for a line of several calls. */
  readonly ref: string | null;
  /** When the call was made, or the hour began, in milliseconds. */
  readonly at: number;
  /** The upstream's name for the model. */
  readonly model: string;
  readonly requests: number;
  readonly usage: TokenUsage;
  /** Null where the bill names only tokens. */
  readonly amount: bigint | null;
  /** Amounts that were rounded and added up to this one; absent for one. */
  readonly roundings?: number;
}

/** A call of ours to the upstream. */
export interface OwnCall {
  readonly ref: string | null;
  /** When it ended, in milliseconds. */
  readonly at: number;
  /** The upstream's name for the model. */
  readonly model: string;
  /** What the upstream reported with its answer; null for a call that failed. */
  readonly usage: TokenUsage | null;
}

/** The upstream's rates for a model from a time on. */
export interface ModelRates {
  /** The upstream's name for the model. */
  readonly model: string;
  /** In milliseconds. */
  readonly from: number;
  readonly price: Price;
}

/** A part of what is billed that our book does not explain. */
export interface Difference {
  readonly cause: DifferenceCause;
  readonly ref: string | null;
  readonly at: number;
  readonly model: string;
  /** How much more is billed than is owed; below zero for less. */
  readonly amount: bigint;
  /** Billed and owed, where it is about tokens. */
  readonly billed?: TokenUsage;
  readonly owed?: TokenUsage;
}
