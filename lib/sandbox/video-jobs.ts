/** `/videos` in the format of OpenAI's Videos API, over the sandbox's tasks. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { videoSizeNamed } from "../catalog/video-sizes";
import { sendJson } from "./chat-completions";
import type { Task } from "./new-video-task";
import type { Results } from "./results";
import type { Studio } from "./studio";
import type { VideoTasks } from "./video-tasks";

interface JobBody {
  readonly model?: unknown;
  readonly prompt?: unknown;
  readonly seconds?: unknown;
  readonly size?: unknown;
}

const states = {
  queued: ["queued", 0],
  running: ["in_progress", 50],
  succeeded: ["completed", 100],
  failed: ["failed", 0],
  cancelled: ["failed", 0],
} as const;

const refusal = (message: string, param: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code: null },
});

function jobOf({ entry, status, prompt, size, shown, error, createdAt, updatedAt }: Task): object {
  const [state, progress] = states[status];
  const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
  return {
    id: entry.id,
    object: "video",
    status: state,
    progress,
    prompt,
    size: size.join("x"),
    seconds: String(shown.duration),
    created_at: seconds(createdAt),
    completed_at: state === "completed" ? seconds(updatedAt) : null,
    error,
  };
}

type Reply = readonly [status: number, body: object];

/** Answers `POST /videos`, whose body was read. */
export function submitVideoJob(tasks: VideoTasks, response: ServerResponse, body: JobBody): void {
  const { model, prompt, seconds = "4", size = "720x1280" } = body;
  const named = typeof size === "string" ? videoSizeNamed(size) : undefined;
  if (!named) sendJson(response, 400, refusal("The size is unknown.", "size"));
  else if (typeof seconds !== "string" || !/^\d{1,2}$/.test(seconds))
    sendJson(response, 400, refusal("The seconds are no text of digits.", "seconds"));
  else {
    const content = [{ type: "text", text: prompt }];
    tasks.submit(response, { model, content, ...named, duration: Number(seconds) }, jobOf);
  }
}

function replyFor(tasks: VideoTasks, task: Task, method: string | undefined): Reply {
  const { entry } = task;
  if (method === "DELETE")
    return tasks.remove(task) === "removed"
      ? [200, { id: entry.id, object: "video.deleted", deleted: true }]
      : [409, refusal("The video is in progress.")];
  if (task.status === "succeeded") entry.isDelivered = true;
  return [200, jobOf(task)];
}

interface JobDeps {
  readonly tasks: VideoTasks;
  readonly results: Results;
  readonly studio: Studio;
}

const isMade = (task: Task | undefined): task is Task & { readonly videoPath: string } =>
  task?.status === "succeeded" && task.videoPath !== null;

/** Answers a request for `/videos/{id}` or for its content. `path`: what follows `/videos/`. */
export async function answerVideoJob(
  { tasks, results, studio }: JobDeps,
  { method }: Pick<IncomingMessage, "method">,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const [id = "", part] = path.split("/");
  const task = tasks.find(id);
  if (part === undefined && task && task.status !== "cancelled")
    sendJson(response, ...replyFor(tasks, task, method));
  else if (part === "content" && isMade(task) && results.answer(task.videoPath, response)) return;
  else if (part === "content?variant=thumbnail" && isMade(task)) {
    const [width, height] = task.size;
    const file = await studio.make({ kind: "png", prompt: task.prompt, width, height });
    response.writeHead(200, { "content-type": "image/png" }).end(file);
  } else sendJson(response, 404, refusal("There is no such video, or it is not ready."));
}
