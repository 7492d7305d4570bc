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
