/** A verb on its way to the database, with the caller who waits for it. */
import type { EndResult, HoldResult } from "./verbs";

export interface HoldItem {
  readonly isHold: true;
  readonly id: string;
  readonly account: string;
  readonly text: string;
  readonly since: number;
  /** Sent at least once: the database may have it, whatever the caller was told. */
  timesSent: number;
  isOver: boolean;
  resolve(result: HoldResult): void;
  reject(error: unknown): void;
}

export interface EndItem {
  readonly isHold: false;
  readonly id: string;
  readonly account: string;
  readonly text: string;
  /** The same end without anything an upstream wrote, for when the database refuses the whole. */
  readonly bareText: () => string;
  readonly isSettle: boolean;
  readonly amount: bigint;
  /** False: it may be dropped when the database cannot be reached, since it is on disk already or only tidies up. */
  readonly isSpooled: boolean;
  readonly since: number;
  timesSent: number;
  isOver: boolean;
  resolve(result: EndResult | null): void;
  reject(error: unknown): void;
}

export type Item = HoldItem | EndItem;

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
