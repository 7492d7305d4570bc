/** `/v1/videos`: the third style over the same tasks, in the form of the Videos API. */
import { orderReaderOf } from "../../accounts/order-reader";
import type { Endpoints } from "../../contract/endpoints";
import { isTaskOpen } from "../../contract/states";
import { videoJobQuery, videoJobRequest } from "../../contract/video-job";
import { invalidValue } from "../../failures/relay-error";
import { jsonAnswer, type UseCase } from "../../http/serve";
import { validateQuery } from "../../http/validate";
import { setIgnoredFieldsHeader } from "../order/ignored-fields";
import { requestedVideoOfJob } from "./requested-job";
import type { VideoDeps } from "./video-deps";
import { jobOf } from "./video-job-view";
import { cancelTask, findAsked, findOwn, isTaskId } from "./video-tasks";
import { orderTask } from "./videos";

const PAGE_DEFAULT = 20;

export function createVideoJob(deps: VideoDeps): UseCase<Endpoints["createVideoJob"]> {
  return async (call) => {
    const request = call.body;
    setIgnoredFieldsHeader(request, videoJobRequest.shape, call.headers);
    const { callback_states: callbackStates = null } = request;
    const requested = { ...requestedVideoOfJob(request), callbackStates };
    const { order, task } = await orderTask(deps, call, requested, request.callback_url ?? null);
    const { modelNamed } = order;
    const opened = {
      status: "queued",
      facts: null,
      errorCode: null,
      resultExpiresAt: null,
    } as const;
    // A task that was joined has its own state.
    return jsonAnswer(call, jobOf({ ...opened, modelNamed, updatedAt: task.createdAt, ...task }));
  };
}

export function createGetVideoJob(deps: VideoDeps): UseCase<Endpoints["getVideoJob"]> {
  return async (call) => jsonAnswer(call, jobOf(await findAsked(deps, call)));
}

export function createListVideoJobs(deps: VideoDeps): UseCase<Endpoints["listVideoJobs"]> {
  return async (call) => {
    const reader = orderReaderOf(call.principal);
    const query = validateQuery(videoJobQuery, call.incoming.query);
    const { after = null, limit, order } = query;
    const size = limit === undefined ? PAGE_DEFAULT : Number(limit);
    if (after !== null && !(isTaskId(after) && (await deps.table.findFor(reader, after))))
      throw invalidValue(
        "after",
        `\`after\` is ${JSON.stringify(after)}, which is the id of none of your videos.`,
      );
    const page = { after, isAscending: order === "asc", count: size + 1 };
    const found = await deps.table.listAfter(reader, page);
    const data = found.slice(0, size).map(jobOf);
    return jsonAnswer(call, {
      object: "list",
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: found.length > size,
    });
  };
}

/** Cancels a video that is queued, and hides it; hides one that has ended. Changes no charge. */
export function createDeleteVideoJob(deps: VideoDeps): UseCase<Endpoints["deleteVideoJob"]> {
  return async (call) => {
    const task = await findOwn(deps, call);
    if (isTaskOpen(task.status)) await cancelTask(deps, task);
    await deps.table.hide(call.principal.accountId, task.id);
    return jsonAnswer(call, { id: task.id, object: "video.deleted", deleted: true });
  };
}
