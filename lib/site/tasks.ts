import type { z } from "zod";
import { models } from "../catalog/models";
import type { task, taskResponse, tasksQuery } from "../contract/tasks";
import { RelayError } from "../errors";
import { createMediaLinks } from "../media/media-link";
import { hideResult } from "../tasks/kept-settings";
import { type TaskLine, taskDetail, taskPage, typicalSeconds } from "../tasks/task-log";
import type { Call } from "./call";
import { entryView } from "./entries";
import type { SiteParts } from "./site-parts";
import { operationOf } from "./usage";

type TaskView = z.input<typeof task>;

function deliveredOf({ facts, media }: TaskLine): TaskView["delivered"] {
  if (media === null) return null;
  const { width, height, bytes } = media;
  const seconds = facts?.durationSeconds ?? null;
  return { resolution: facts?.resolution ?? null, ratio: facts?.ratio ?? null, seconds, width, height, bytes };
}

function viewer({ secrets, settings }: SiteParts): (line: TaskLine) => TaskView {
  const links = createMediaLinks(secrets, settings.publicUrl);
  return (shown) => {
    const { id, family, status, errorCode, spec, media, line } = shown;
    if (line.request === null) throw new Error("a task is a request");
    return {
      id,
      family,
      model: line.request.model,
      status,
      at: line.at.toISOString(),
      errorCode,
      settings: {
        prompt: spec.prompt ?? null,
        resolution: spec.resolution ?? null,
        ratio: spec.ratio ?? null,
        seconds: spec.durationSeconds ?? null,
        hasAudio: spec.generateAudio ?? false,
        width: spec.width ?? null,
        height: spec.height ?? null,
        seed: spec.seed ?? null,
        pictures: (spec.pictures ?? []).map(({ role, url }) => ({ role, url })),
      },
      delivered: deliveredOf(shown),
      result: media && {
        url: media.isExpired ? null : links.link(`${media.id}.${media.extension}`, media.expiresAt),
        expiresAt: media.expiresAt.toISOString(),
      },
      entry: entryView(line),
    };
  };
}

/** The account's videos and images, newest first. */
export async function listTasks({ parts, query, user }: Call<unknown, z.output<typeof tasksQuery>>) {
  const { tasks, nextCursor } = await taskPage(parts.pool, user().accountId, query, query);
  return { tasks: tasks.map(viewer(parts)), nextCursor };
}

/** Throws `task_not_found` for what is not there, was removed, or is another account's. */
async function findTask({ parts, user, id }: Call) {
  const { accountId } = user();
  const operationId = await operationOf(parts, accountId, id);
  const detail = operationId === null ? null : await taskDetail(parts.pool, accountId, operationId);
  if (detail === null) throw new RelayError("task_not_found");
  return detail;
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

/** By the task's id, or the one of its request. */
export async function showTask(call: Call): Promise<z.input<typeof taskResponse>> {
  const { task: found, times, callback } = await findTask(call);
  return {
    task: viewer(call.parts)(found),
    times: {
      queued: found.line.at.toISOString(),
      submitted: iso(times.submitted),
      running: iso(times.running),
      stored: iso(times.stored),
      ended: iso(found.line.request?.endedAt ?? null),
    },
    callback: callback && {
      url: callback.url,
      deliveries: callback.deliveries.map(({ deliveredAt, givenUpAt, nextAttemptAt, ...delivery }) => ({
        ...delivery,
        deliveredAt: iso(deliveredAt),
        givenUpAt: iso(givenUpAt),
        nextAttemptAt: iso(nextAttemptAt),
      })),
    },
  };
}

/** Takes an ended task out of the list; throws `task_not_removable` while it goes on. */
export async function removeTask(call: Call) {
  const { task: found } = await findTask(call);
  const isRemoved = await hideResult(call.parts.pool, found.family, call.user().accountId, found.id);
  if (!isRemoved) throw new RelayError("task_not_removable");
  return { removed: true as const };
}

/** How long results of each model take. */
export async function showTypicalTimes({ parts }: Call) {
  const asked = models.filter(({ family }) => family !== "text").map(({ id }) => id);
  return { seconds: await typicalSeconds(parts.pool, asked) };
}
