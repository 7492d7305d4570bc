/**
 * The ledger's verbs for the tasks of videos and images. A hold and its task open in one commit; a charge or release
 * and the task's end are one commit.
 */
import type { EndResult, HoldRequest, HoldResult, ReleaseRequest, SettleRequest } from "./verbs";

export interface TaskOpening {
  readonly taskId: string;
  /** The model's name as the request gave it. */
  readonly modelNamed: string;
  readonly spec: object;
  readonly imageUrls: object;
  readonly callbackUrl: string | null;
  /** The process that may submit the task, and for how long no other may. */
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
  /** What the upstream said of it; absent or null for nothing. */
  readonly facts?: object | null;
}

/**
 * `already` means that the task had ended before and nothing changed. Neither end uses the spool:
 * the worker tries again.
 */
export interface TaskLedger {
  /**
   * Holds points and writes the task, in one commit. Rejects with `database_unavailable` when
   * neither was committed; anything that may still commit is released later.
   */
  openTask(hold: HoldRequest, task: TaskOpening): Promise<HoldResult>;
  /**
   * Charges the hold and marks the task as succeeded, in one commit. Rejects with
   * `database_unavailable` when the outcome is not known.
   */
  settleTask(request: SettleRequest, end: TaskSuccess): Promise<EndResult>;
  /** Releases the hold and marks the task as ended, in one commit. Rejects as `settleTask` does. */
  releaseTask(request: ReleaseRequest, end: TaskFailure): Promise<EndResult>;
}
