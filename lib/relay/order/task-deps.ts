/** What the state machine of tasks works with, whatever their family. */
import type { Log } from "../../http/serve";
import type { TaskLedger } from "../../ledger/core/task-verbs";
import type { PriceBook } from "../../price-book/price-version";
import type { Chooser } from "../../upstream/choose";
import type { Channel } from "../../upstream/provider";
import type { TaskTable } from "./task-table";

export interface TaskTimes {
  readonly pollSeconds: number;
  /** A task that no upstream has finished after this time is given up. */
  readonly lifeSeconds: number;
}

export interface TaskDeps {
  readonly ledger: TaskLedger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly table: TaskTable;
  /** True for a channel whose address belongs to this process and changes with it. */
  readonly isPassing: (channel: Channel) => boolean;
  /** Tasks that this process works on now; they are not claimed meanwhile. */
  readonly busy: Set<string>;
  readonly log: Log;
  readonly times: TaskTimes;
}

/**
 * What one step did. `failed`: it could not be taken now, and is tried again later; an object when the
 * upstream asks not to be polled for so long.
 */
export type Advance =
  | "unchanged"
  | "changed"
  | "ended"
  | "failed"
  | { readonly waitSeconds: number };
