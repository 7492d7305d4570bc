import type { z } from "zod";
import { knownModels } from "../catalog/models";
import type { task, taskResponse, tasksQuery } from "../contract/tasks";
import { isIdOf } from "../crypto/ids";
import type { OrderReader } from "../db/order-readers";
import { RelayError } from "../failures/relay-error";
import { createMediaLinks } from "../media/media-link";
import { archivedLine } from "./archived";
import { entryView } from "./entries";
import type { QueryDeps } from "./query-deps";
import { archivedFacts } from "./request-log";
import { type TaskDetail, type TaskLine, taskDetail, taskPage } from "./task-log";
import { typicalSeconds } from "./typical-times";
import { operationOf } from "./usage";

type TaskView = z.input<typeof task>;
/** A task of an account, named by its own id or its request's id. */
interface NamedTask {
  readonly accountId: string;
  readonly id: string;
  /** Null for whoever may read every result of the account. */
  readonly reader: OrderReader | null;
}

function deliveredOf({ facts, media }: TaskLine): TaskView["delivered"] {
  if (media === null) return null;
  const { width, height, bytes } = media;
  const seconds = facts?.durationSeconds ?? null;
  return {
    resolution: facts?.resolution ?? null,
    ratio: facts?.ratio ?? null,
    seconds,
    width,
    height,
    bytes,
  };
}

function viewer({
  secrets,
  settings,
}: Pick<QueryDeps, "secrets" | "settings">): (line: TaskLine) => TaskView {
  const links = createMediaLinks(secrets, settings.publicUrl);
  return (shown) => {
    const { id, operationId, family, model, status, at, errorCode, spec, media, line } = shown;
    return {
      id,
      operationId,
      family,
      model,
      status,
      at: at.toISOString(),
      errorCode,
      settings: {
        prompt: spec.prompt ?? null,
        resolution: spec.resolution ?? null,
        ratio: spec.ratio ?? null,
        seconds: spec.durationSeconds ?? null,
        hasAudio: spec.generateAudio ?? false,
        width: spec.width ?? null,
        height: spec.height ?? null,
        quality: spec.quality ?? null,
        seed: spec.seed ?? null,
        pictures: (spec.pictures ?? []).map(({ role, url }) => ({ role, url })),
      },
      delivered: deliveredOf(shown),
      result: media && {
        url: media.isExpired ? null : links.link(`${media.id}.${media.extension}`, media.expiresAt),
        expiresAt: media.expiresAt.toISOString(),
      },
      entry: line && entryView(line),
    };
  };
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
  return { tasks: tasks.map(viewer(deps)), nextCursor, archived };
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
    task: viewer(deps)(found),
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
  return { seconds: await typicalSeconds(pool, asked) };
}
