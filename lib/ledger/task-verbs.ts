/** The ledger's verbs for video tasks: a hold opens with its task and an end commits with its task's end. */
import type { EndResult, HoldRequest, HoldResult, ReleaseRequest, SettleRequest } from "./verbs";

export interface TaskOpening {
  readonly taskId: string;
  /** The model's name as the request has it. */
  readonly modelNamed: string;
  readonly spec: object;
  readonly imageUrls: object;
  readonly callbackUrl: string | null;
  /** Who may submit it first, and for how long nobody else does. */
  readonly leaseOwner: string;
  readonly leaseSeconds: number;
}

export interface TaskSuccess {
  readonly mediaId: string;
  readonly outputTokens: number | null;
  readonly facts: object;
}

export interface TaskFailure {
  readonly status: "failed" | "cancelled" | "expired";
  readonly errorCode: string;
}

/** `already` of the two ends: whoever came first decided, nothing changed now. Neither goes to the spool: the worker comes again. */
export interface TaskLedger {
  /** Sets points aside and writes the task, in one commit. Rejects with `database_unavailable` when neither is there or stays. */
  openTask(hold: HoldRequest, task: TaskOpening): Promise<HoldResult>;
  /** Charges and shows the task as succeeded, in one commit. Rejects with `database_unavailable` when that is not known to be done. */
  settleTask(request: SettleRequest, end: TaskSuccess): Promise<EndResult>;
  /** Gives the points back and shows the task as ended, in one commit; rejects as `settleTask` does. */
  releaseTask(request: ReleaseRequest, end: TaskFailure): Promise<EndResult>;
}
