/** What an upstream's bill says, and what we know of the same calls. Amounts are millionths of the bill's currency. */
import type { DifferenceCause } from "../contract/bill-words";
import type { Price } from "../pricing/rate";
import type { TokenUsage } from "../pricing/usage";

/** What a bill counts of a call, in the order in which it is said. */
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

/** How makers name a snapshot: 2026-08-07, 20260807, 260807, 2608, 08-07, 0807, 001; or the newest one: latest, 0. */
const snapshot =
  /[-@](?:latest|0(?:\d\d)?|(?:20)?\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|2\d(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01]))$/;

/** The name without the snapshot of it, in lower case. */
export const modelFamily = (name: string): string => name.toLowerCase().replace(snapshot, "");

/** Whether a name is of no snapshot. */
export const isOpen = (name: string) =>
  /-(?:latest|0)$/i.test(name) || isSameName(name, modelFamily(name));

/** A name without a date stands for any of its snapshots. Two snapshots are two models. */
export const isSameModel = (one: string, other: string): boolean =>
  isSameName(one, other) ||
  (modelFamily(one) === modelFamily(other) && (isOpen(one) || isOpen(other)));

/** One line of a bill: a call, or the calls of a model within an hour or a day. */
export interface BillLine {
  /** The upstream's id of the call; null for a line of several calls. */
  readonly ref: string | null;
  /** When the call was made, or the hour or day began, in milliseconds. */
  readonly at: number;
  /** The time from then on that the line is for, in milliseconds; absent for a moment. */
  readonly spanMs?: number;
  /** The upstream's name for the model. */
  readonly model: string;
  readonly requests: number;
  readonly usage: TokenUsage;
  /** It names no quantity: its amount alone is compared. */
  readonly isUntold?: true;
  /** Null where the bill names only tokens. */
  readonly amount: bigint | null;
  /** Amounts that were rounded and added up to this one; absent for one. */
  readonly roundings?: number;
}

/** Such as the line of a call that failed, in a bill that lists all calls. */
export const billsNothing = ({ amount, usage }: BillLine): boolean =>
  (amount ?? 0n) === 0n && usageParts.every((part) => (usage[part] ?? 0) === 0);

/** A call of ours to the upstream. */
export interface OwnCall {
  readonly ref: string | null;
  /** When it ended, in milliseconds. */
  readonly at: number;
  /** The upstream's name for the model. */
  readonly model: string;
  /** What the upstream reported with its answer; null for a call that failed. */
  readonly usage: TokenUsage | null;
  /** A call of a test of the channel, whose usage we do not keep. */
  readonly isTest?: boolean;
}

/** The tokens of a line that a call of a test explains, if the bill does not name its id. */
const TEST_TOKENS_MAX = 4000;

/** Short calls of tests of the channel, each for one request of a bill. */
export class OwnTests {
  readonly #tests: Set<OwnCall>;

  constructor(
    calls: readonly OwnCall[],
    readonly isMadeFor: (line: BillLine, test: OwnCall) => boolean,
  ) {
    this.#tests = new Set(calls.filter(({ isTest }) => isTest));
  }

  /** Whether tests explain the line. */
  take(line: BillLine): boolean {
    const { usage, requests } = line;
    if (usage.inputTokens + usage.outputTokens > TEST_TOKENS_MAX * requests) return false;
    const found = [...this.#tests].filter((test) => this.isMadeFor(line, test)).slice(0, requests);
    if (found.length === 0 || found.length < requests) return false;
    for (const test of found) this.#tests.delete(test);
    return true;
  }
}

export type AnsweredCall = OwnCall & { readonly usage: TokenUsage };
export const isAnswered = (call: OwnCall): call is AnsweredCall => call.usage !== null;

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
