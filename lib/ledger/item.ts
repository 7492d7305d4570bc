/** One verb on its way to the database, together with the caller that waits for it. */
import type { EndResult, HoldResult } from "./verbs";

interface Sending {
  readonly id: string;
  readonly account: string;
  /** The JSON that `ledger_apply` reads, without its opening `{"i":n,`. */
  readonly text: string;
  /** When the caller started to wait, by `performance.now()`. */
  readonly since: number;
  /** When above zero, the database may have the item, whatever answer the caller got. */
  timesSent: number;
  /** True once the caller has its answer. */
  isOver: boolean;
  reject(error: unknown): void;
}

export interface HoldItem extends Sending {
  readonly isHold: true;
  resolve(result: HoldResult): void;
}

export interface EndItem extends Sending {
  readonly isHold: false;
  /**
   * The same end without any text of an upstream, for when the database refuses the item as it is.
   */
  readonly bareText: () => string;
  readonly isSettle: boolean;
  readonly amount: bigint;
  /**
   * True when the item may be dropped during an outage: it is on disk already, or it only cleans
   * up.
   */
  readonly isSpooled: boolean;
  /** It is in the spool, but only the database can say whether it counts. */
  isUncertain: boolean;
  /** Null when there is no such operation. */
  resolve(result: EndResult | null): void;
}

export type Item = HoldItem | EndItem;

type NewItem<T extends Item> = Pick<T, "id" | "account" | "text" | "resolve" | "reject"> & {
  readonly [Name in keyof T]?: T[Name] | undefined;
};

export const holdItem = (item: NewItem<HoldItem>): HoldItem => ({
  isHold: true,
  id: item.id,
  account: item.account,
  text: item.text,
  since: performance.now(),
  timesSent: 0,
  isOver: false,
  resolve: item.resolve,
  reject: item.reject,
});

/** An end with the defaults of a release that no request asked for. */
export const endItem = (item: NewItem<EndItem>): EndItem => ({
  isHold: false,
  id: item.id,
  account: item.account,
  text: item.text,
  bareText: item.bareText ?? (() => item.text),
  isSettle: item.isSettle ?? false,
  amount: item.amount ?? 0n,
  isSpooled: item.isSpooled ?? false,
  isUncertain: false,
  since: performance.now(),
  timesSent: 0,
  isOver: false,
  resolve: item.resolve,
  reject: item.reject,
});

/** The parameters of `ledger_apply` for one batch. */
export function batchValues(nodeId: string, batch: readonly Item[]): unknown[] {
  const accounts = new Set<string>();
  const [ends, holds]: [string[], string[]] = [[], []];
  for (const item of batch) {
    accounts.add(item.account);
    (item.isHold ? holds : ends).push(item.text);
  }
  return [nodeId, [...accounts], listText(ends), listText(holds)];
}

/** Null for an empty list. */
const listText = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : `[${texts.map((text, i) => `{"i":${i},${text}`).join(",")}]`;
