/** Ends a task without a charge. The first end wins; a later one changes nothing. */
import type { LossCause } from "../../contract/states";
import type { EndResult, Loss, Outcome } from "../../ledger/core/verbs";
import type { Advance, TaskDeps } from "./task-deps";
import type { AnyTaskRow, OpenTask } from "./task-row";

/**
 * A submit without an id is looked at again before it is given up: its process may be about to save
 * the id.
 */
const LOST_LOOKS = 2;

export function outcomeOf({ channelId, upstreamRef, createdAt }: OpenTask): Outcome {
  const durationMs = Math.max(0, Date.now() - createdAt.getTime());
  return {
    channelId,
    upstreamRef,
    isStream: false,
    durationMs,
    firstByteMs: null,
    isAbandoned: false,
  };
}

export interface Failing {
  readonly status: "failed" | "cancelled" | "expired";
  readonly code: string;
  /** Set when the upstream may bill us for work that nobody pays for. */
  readonly lossCause?: LossCause | null;
  readonly upstreamCode?: string | undefined;
}

/** The failure of a task that was never sent upstream. */
export const interrupted: Failing = { status: "failed", code: "order_interrupted" };
/** The end of a queued task that its owner does not want any more. */
export const cancelled: Failing = { status: "cancelled", code: "task_cancelled" };

/** Releases the hold and marks the task as ended. */
export async function releaseTask(
  deps: Pick<TaskDeps, "ledger" | "table">,
  task: OpenTask,
  { status, code, lossCause, upstreamCode }: Failing,
): Promise<EndResult> {
  const loss: Loss | null = lossCause
    ? {
        cause: lossCause,
        estimateAmount: (await deps.table.priceOf(task.operationId)).holdAmount,
        detail: { code },
      }
    : null;
  const { operationId, accountId } = task;
  const request = { operationId, accountId, reason: code, loss, outcome: outcomeOf(task) };
  const facts = upstreamCode === undefined ? null : { upstreamCode };
  return deps.ledger.releaseTask(request, { status, errorCode: code, facts });
}

export async function endUnknown(
  deps: TaskDeps,
  task: OpenTask,
  answers: "lost" | "gone",
): Promise<Advance> {
  deps.log.error(
    { alarm: "orphan_upstream", taskId: task.id, channelId: task.channelId, answers },
    "nobody can tell what became of a task upstream",
  );
  await releaseTask(deps, task, {
    status: "failed",
    code: "upstream_failed",
    lossCause: "orphan_upstream",
  });
  return "ended";
}

/**
 * A task whose lease expired between the intent and the upstream's answer. It is never sent a second
 * time.
 */
export async function endLost(deps: TaskDeps, task: AnyTaskRow): Promise<Advance> {
  return task.pollFailures + 1 < LOST_LOOKS ? "failed" : endUnknown(deps, task, "lost");
}

/** Gives up a task that is too old. The upstream may still finish and bill it. */
export async function expire(
  deps: TaskDeps,
  task: OpenTask,
  lossCause: LossCause | null = "orphan_upstream",
): Promise<Advance> {
  await releaseTask(deps, task, { status: "expired", code: "task_expired", lossCause });
  return "ended";
}
