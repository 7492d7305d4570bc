/** `GET /v1/videos/{id}/content`: the file of a completed video, or a range of it. */
import type { Endpoints } from "../../contract/endpoints";
import { isTaskOpen } from "../../contract/states";
import { videoContentQuery } from "../../contract/video-job";
import { RelayError } from "../../failures/relay-error";
import type { UseCase } from "../../http/serve";
import { validateQuery } from "../../http/validate";
import { sendFile } from "../../media/get-media";
import type { MediaStore } from "../../media/media-store";
import { taskError } from "../order/task-error";
import type { TaskRow } from "../order/task-row";
import type { VideoDeps } from "./video-deps";
import { jobOf } from "./video-job-view";
import { findOwn } from "./video-tasks";

function withoutFile(task: TaskRow): RelayError {
  const { id, errorCode } = task;
  const message = isTaskOpen(task.status)
    ? `The video is not ready yet: its status is ${jobOf(task).status}. Get /v1/videos/${id} until it is completed.`
    : `There is no video: ${taskError(errorCode).message}`;
  return new RelayError("not_found", { message });
}

function thumbnailOf({ facts }: TaskRow): string {
  if (facts?.thumbnail) return facts.thumbnail;
  const message = "This video has no thumbnail: its upstream made none. Its file is complete.";
  throw new RelayError("not_found", { message });
}

export function createGetVideoContent(
  deps: VideoDeps,
  media: MediaStore,
): UseCase<Endpoints["getVideoContent"]> {
  return async (call) => {
    const { variant } = validateQuery(videoContentQuery, call.incoming.query);
    const task = await findOwn(deps, call);
    if (task.status !== "succeeded" || task.mediaId === null) throw withoutFile(task);
    if (task.isResultExpired) throw new RelayError("media_link_expired");
    return sendFile(
      media,
      variant === "thumbnail" ? thumbnailOf(task) : `${task.mediaId}.mp4`,
      call,
    );
  };
}
