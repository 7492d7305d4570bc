/** One verb on its way to the database, together with the caller that waits for it. */
import type { Row } from "./rows";
import type { EndResult, HoldResult } from "./verbs";

interface Sending {
  readonly id: string;
  readonly account: string;
  readonly row: Row;
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
  /** It is without any text of an upstream: the database refused it as it was. */
  readonly isBare: boolean;
  readonly isSettle: boolean;
  readonly amount: bigint;
  /**
   * True when the item may be dropped during an outage: it is on disk already, or it only cleans
   * up.
   */
  readonly isSpooled: boolean;
  /** It is in the spool, but only the database can say whether it counts. */
  isUncertain: boolean;
  /** Null when there is no such request. */
  resolve(result: EndResult | null): void;
}

export type Item = HoldItem | EndItem;

const sending = (row: Row) => ({
  id: String(row[0]),
  account: String(row[1]),
  row,
  since: performance.now(),
  timesSent: 0,
  isOver: false,
});

export const holdItem = (row: Row, caller: Pick<HoldItem, "resolve" | "reject">): HoldItem => ({
  isHold: true,
  ...sending(row),
  ...caller,
});

export const endItem = (
  row: Row,
  caller: Pick<EndItem, "resolve" | "reject">,
  isSpooled = false,
): EndItem => ({
  isHold: false,
  isBare: false,
  isSettle: row[2] === true,
  amount: BigInt(String(row[3])),
  isSpooled,
  isUncertain: false,
  ...sending(row),
  ...caller,
});
