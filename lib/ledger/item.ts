/** A verb on its way to the database, with the caller who waits for it. */
import type { EndResult, HoldResult } from "./verbs";

interface Sending {
  /** The operation's id. */
  readonly id: string;
  readonly account: string;
  /** The JSON that `ledger_apply` reads, without its opening `{"i":n,`. */
  readonly text: string;
  /** When the caller began to wait, by `performance.now()`. */
  readonly since: number;
  /** Above zero, the database may have it, whatever the caller was told. */
  timesSent: number;
  /** The caller has its answer. */
  isOver: boolean;
  reject(error: unknown): void;
}

export interface HoldItem extends Sending {
  readonly isHold: true;
  resolve(result: HoldResult): void;
}

export interface EndItem extends Sending {
  readonly isHold: false;
  /** The same end without anything an upstream wrote, for when the database refuses the whole. */
  readonly bareText: () => string;
  readonly isSettle: boolean;
  readonly amount: bigint;
  /** True when it may be dropped while the database is away: it is on disk already, or only tidies up. */
  readonly isSpooled: boolean;
  /** Null: there is no such operation. */
  resolve(result: EndResult | null): void;
}

export type Item = HoldItem | EndItem;

type NewItem<T extends Item> = Pick<T, "id" | "account" | "text" | "resolve" | "reject"> & Partial<T>;

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

/** A release that nobody's request brought about, unless told otherwise. */
export const endItem = (item: NewItem<EndItem>): EndItem => ({
  isHold: false,
  id: item.id,
  account: item.account,
  text: item.text,
  bareText: item.bareText ?? (() => item.text),
  isSettle: item.isSettle ?? false,
  amount: item.amount ?? 0n,
  isSpooled: item.isSpooled ?? false,
  since: performance.now(),
  timesSent: 0,
  isOver: false,
  resolve: item.resolve,
  reject: item.reject,
});

/** The parameters of `ledger_apply` for one batch. */
export function batchValues(nodeId: string, batch: readonly Item[]): unknown[] {
  const accounts = new Set<string>();
  let ends = "";
  let holds = "";
  let endCount = 0;
  let holdCount = 0;
  for (const item of batch) {
    accounts.add(item.account);
    if (item.isHold) holds += `${holdCount === 0 ? "[" : ","}{"i":${holdCount++},${item.text}`;
    else ends += `${endCount === 0 ? "[" : ","}{"i":${endCount++},${item.text}`;
  }
  return [nodeId, [...accounts], endCount === 0 ? null : `${ends}]`, holdCount === 0 ? null : `${holds}]`];
}
