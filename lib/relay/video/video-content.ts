/** `GET /v1/videos/{id}/content`: the file of a completed video, or a range of it. */
import type { z } from "zod";
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

type Variant = NonNullable<z.infer<typeof videoContentQuery>["variant"]>;

function withoutFile(task: TaskRow): RelayError {
  const { id, errorCode } = task;
  const message = isTaskOpen(task.status)
    ? `The video is not ready yet: its status is ${jobOf(task).status}. Get /v1/videos/${id} until it is completed.`
    : `There is no video: ${taskError(errorCode).message}`;
  return new RelayError("not_found", { message });
}

/** The file of a variant. Throws for one that there is none of. */
function fileOf({ facts, mediaId }: TaskRow, variant: Variant): string {
  if (variant === "video") return `${mediaId}.mp4`;
  const [file, why] =
    variant === "thumbnail"
      ? [facts?.thumbnail, "no thumbnail: its upstream made none"]
      : [facts?.lastFrame, "no last frame: `return_last_frame` asks for it, where a model has it"];
  if (file) return file;
  throw new RelayError("not_found", { message: `This video has ${why}. Its file is complete.` });
}

export function createGetVideoContent(
  deps: VideoDeps,
  media: MediaStore,
): UseCase<Endpoints["getVideoContent"]> {
  return async (call) => {
    const { variant = "video" } = validateQuery(videoContentQuery, call.incoming.query);
    const task = await findOwn(deps, call);
    if (task.status !== "succeeded" || task.mediaId === null) throw withoutFile(task);
    if (task.isResultExpired) throw new RelayError("media_link_expired");
    return sendFile(media, fileOf(task, variant), call);
  };
}
