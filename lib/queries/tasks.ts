import type { z } from "zod";
import { knownModels } from "../catalog/models";
import type { taskResponse, tasksQuery } from "../contract/tasks";
import { isIdOf } from "../crypto/ids";
import type { OrderReader } from "../db/order-readers";
import { RelayError } from "../failures/relay-error";
import { archivedLine } from "./archived";
import type { QueryDeps } from "./query-deps";
import { archivedFacts } from "./request-log";
import { type TaskDetail, taskDetail, taskPage } from "./task-log";
import { taskViewer } from "./task-view";
import { typicalSeconds } from "./typical-times";
import { operationOf } from "./usage";

/** A task of an account, named by its own id or its request's id. */
interface NamedTask {
  readonly accountId: string;
  readonly id: string;
  /** Null for whoever may read every result of the account. */
  readonly reader: OrderReader | null;
}

/** The account's videos and images, newest first. */
export async function listTasks(
  deps: Pick<QueryDeps, "pool" | "secrets" | "settings">,
  {
    accountId,
    reader,
    ...query
  }: z.output<typeof tasksQuery> & { accountId: string; reader: OrderReader | null },
) {
  const filter = { ...query, reader };
  const { tasks, nextCursor, archived } = await taskPage(deps.pool, accountId, filter, query);
  return { tasks: tasks.map(taskViewer(deps)), nextCursor, archived };
}

/**
 * The operation of a task by the task's id or the request's, also when the request is archived. An
 * image has the id of its request, and for a video the file is read that has the request.
 */
async function operationOfTask(
  deps: Pick<QueryDeps, "pool" | "database" | "archive">,
  { accountId, id }: Omit<NamedTask, "reader">,
): Promise<string | null> {
  const operationId = await operationOf(deps, accountId, id);
  if (operationId !== null || !isIdOf("request", id)) return operationId;
  const image = await deps.database.imageResult.findFirst({
    where: { id, accountId },
    select: { operationId: true },
  });
  if (image !== null) return image.operationId;
  const line = await archivedLine(deps, id, accountId);
  return line === null ? null : (await archivedFacts(deps.pool, line)).operationId;
}

/** Throws `task_not_found`, also for a task that was removed or is another account's. */
export async function findTask(
  deps: Pick<QueryDeps, "pool" | "database" | "archive">,
  named: NamedTask,
): Promise<TaskDetail> {
  const operationId = await operationOfTask(deps, named);
  const detail = operationId === null ? null : await taskDetail(deps.pool, named, operationId);
  if (detail === null) throw new RelayError("task_not_found");
  return detail;
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

/** Rejects with `task_not_found`. */
export async function showTask(
  deps: Pick<QueryDeps, "pool" | "database" | "archive" | "secrets" | "settings">,
  named: NamedTask,
): Promise<z.input<typeof taskResponse>> {
  const { task: found, times, callback } = await findTask(deps, named);
  return {
    task: taskViewer(deps)(found),
    times: {
      queued: found.at.toISOString(),
      submitted: iso(times.submitted),
      running: iso(times.running),
      stored: iso(times.stored),
      ended: iso(times.ended),
    },
    callback: callback && {
      url: callback.url,
      deliveries: callback.deliveries.map(
        ({ deliveredAt, givenUpAt, nextAttemptAt, ...delivery }) => ({
          ...delivery,
          deliveredAt: iso(deliveredAt),
          givenUpAt: iso(givenUpAt),
          nextAttemptAt: iso(nextAttemptAt),
        }),
      ),
    },
  };
}

/** The typical duration of each model's results. */
export async function showTypicalTimes({ pool }: Pick<QueryDeps, "pool">) {
  const asked = knownModels()
    .filter(({ family }) => family !== "text")
    .map(({ id }) => id);
  return typicalSeconds(pool, asked);
}
