/**
 * `/contents/generations/tasks` in Ark's format: tasks are queued, run for a few seconds and end
 * with a real video.
 */
import type { ServerResponse } from "node:http";
import type { VideoModel } from "../catalog/models";
import { pause } from "../timing/pause";
import { sandboxError, sendJson } from "./chat-completions";
import { type Misbehaviour, readMisbehaviour, withoutOrders } from "./misbehaviour";
import { newTask, type Task, type TaskBody } from "./new-video-task";
import type { RequestLog } from "./request-log";
import type { Results } from "./results";
import { offeredAs } from "./sandbox-name";
import type { Studio } from "./studio";

export interface VideoTasks {
  /** `viewOf`: the answer to an accepted order; absent for Ark's. */
  submit(response: ServerResponse, body: TaskBody, viewOf?: (task: Task) => object): void;
  find(id: string): Task | undefined;
  /** Cancels a queued task, or forgets an ended one. A running task stays. */
  remove(task: Task): "removed" | "refused";
  /** `origin`: that of the sandbox, for the addresses of results. */
  read(response: ServerResponse, id: string, origin: string): void;
  cancel(response: ServerResponse, id: string): void;
}

const QUEUED_MS = 800;
const RUNNING_MS = 3200;
const KEPT_MS = 60 * 60_000;
const TASKS_MAX = 10_000;

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
const refusal = (code: string, message: string) => ({
  error: { code, message, type: "BadRequest", param: null },
});

/** What the model would refuse; null for what it makes. */
function refusalOf(model: VideoModel, { content, duration }: TaskBody): object | null {
  if (duration === -1) return null;
  if (
    model.durations !== null &&
    !content?.some(({ type }) => type === "draft_task") &&
    !model.durations.some((each) => each === duration)
  )
    return refusal("InvalidParameter.duration", "The model has no such duration.");
  if (!model.hasLastFrame && content?.some(({ role }) => role === "last_frame"))
    return refusal("InvalidParameter.content", "The model takes no last frame.");
  return null;
}

/** The failure that a prompt's directives request. */
function failureFor(order: Misbehaviour): Task["error"] {
  if (order.isAudioRejected)
    return {
      code: "OutputAudioSensitiveContentDetected.PolicyViolation",
      message: "The prompt asked the sandbox for this error.",
    };
  return order.isFailing
    ? { code: "InternalServiceError", message: "The prompt asked the sandbox to fail." }
    : null;
}

/** A task in the form of a poll's answer. */
function viewOf({ status, order, entry, shown, error, ...task }: Task, origin: string): object {
  const count = order.reportedTokens ?? order.outputTokens ?? entry.outputTokens;
  const { toolUsage, lastFramePath } = task;
  const usage = order.hasNoUsage
    ? {}
    : { usage: { completion_tokens: count, total_tokens: count, ...toolUsage } };
  const content = {
    video_url: `${origin}${task.videoPath}`,
    ...(lastFramePath && { last_frame_url: `${origin}${lastFramePath}` }),
  };
  const result = status === "succeeded" ? { content, ...usage } : {};
  return {
    id: entry.id,
    status,
    error,
    ...result,
    ...shown,
    created_at: seconds(task.createdAt),
    updated_at: seconds(task.updatedAt),
  };
}

function move(task: Task, status: Task["status"]): void {
  task.status = status;
  task.updatedAt = Date.now();
}

interface VideoTaskDeps {
  readonly requestLog: RequestLog;
  readonly studio: Studio;
  readonly results: Results;
  /** 1 takes a realistic time; 0 only as long as drawing the frames. */
  readonly pace: number;
}

const wait = (milliseconds: number) => pause(milliseconds, { isUnref: true });

async function run(task: Task, { studio, results, pace }: VideoTaskDeps): Promise<void> {
  const { order } = task;
  const [width, height] = task.size;
  await wait(order.queuedMs ?? QUEUED_MS * pace);
  if (task.status !== "queued") return;
  move(task, "running");
  if (order.isHanging) return;
  const until = wait(order.delayMs > 0 ? order.delayMs : RUNNING_MS * pace);
  task.error = failureFor(order);
  if (task.error === null) {
    const file = await studio.make({
      kind: "mp4",
      prompt: task.prompt,
      width,
      height,
      seconds: task.shown.duration,
    });
    const { prompt, shown } = task;
    const frame = shown.return_last_frame
      ? await studio.make({ kind: "png", prompt, width, height })
      : null;
    await until;
    task.videoPath = results.keep(file, "video/mp4", order.isTruncated);
    if (frame) task.lastFramePath = results.keep(frame, "image/png", false);
  }
  await until;
  move(task, task.error === null ? "succeeded" : "failed");
}

function forgetOld(tasks: Map<string, Task>): void {
  const now = Date.now();
  for (const [id, { createdAt }] of tasks) {
    if (now - createdAt < KEPT_MS && tasks.size < TASKS_MAX) return;
    tasks.delete(id);
  }
}

/** The draft that the order names; undefined for none, null for one that is not there. */
function draftOf(
  { content = [] }: TaskBody,
  tasks: ReadonlyMap<string, Task>,
): Task | undefined | null {
  const item = content.find(({ type }) => type === "draft_task");
  if (item === undefined) return undefined;
  const draft = tasks.get(String(item.draft_task?.id));
  return draft?.status === "succeeded" && draft.shown.draft === true ? draft : null;
}

export function createVideoTasks(deps: VideoTaskDeps): VideoTasks {
  const { requestLog } = deps;
  const tasks = new Map<string, Task>();

  function remove(task: Task): "removed" | "refused" {
    if (task.status === "running" || task.status === "cancelled") return "refused";
    if (task.status === "queued") move(task, "cancelled");
    else tasks.delete(task.entry.id);
    return "removed";
  }

  return {
    find: (id) => tasks.get(id),
    remove,
    submit(response, body, view = ({ entry }) => ({ id: entry.id })) {
      const model = offeredAs("video", body.model);
      if (!model)
        return sendJson(
          response,
          404,
          refusal("InvalidEndpointOrModel.NotFound", "The sandbox has no such video model."),
        );
      const refused = refusalOf(model, body);
      if (refused !== null) return sendJson(response, 400, refused);
      const text = body.content?.find(({ type }) => type === "text")?.text;
      const prompt = typeof text === "string" ? text : "";
      const order = readMisbehaviour(prompt);
      if (order.isGarbage) return sendJson(response, 200, "<html>This is not JSON.</html>");
      if (order.status !== null && !order.isFailing)
        return sendJson(response, order.status, sandboxError(order.status));
      const draft = draftOf(body, tasks);
      if (draft === null)
        return sendJson(response, 400, refusal("InvalidParameter.draft_task", "No such draft."));
      const task = newTask(model, body, order, withoutOrders(prompt), draft);
      if (!task.size)
        return sendJson(
          response,
          400,
          refusal("InvalidParameter.resolution", "The resolution or ratio is unknown."),
        );
      forgetOld(tasks);
      tasks.set(task.entry.id, task);
      requestLog.add(task.entry);
      run(task, deps).catch((error: unknown) => {
        task.error = { code: "InternalServiceError", message: String(error) };
        move(task, "failed");
      });
      sendJson(response, 200, view(task));
    },
    read(response, id, origin) {
      const task = tasks.get(id);
      if (!task) return sendJson(response, 404, refusal("NotFound", "There is no such task."));
      if (task.status === "succeeded") task.entry.isDelivered = true;
      sendJson(response, 200, viewOf(task, origin));
    },
    cancel(response, id) {
      const task = tasks.get(id);
      if (!task) return sendJson(response, 404, refusal("NotFound", "There is no such task."));
      if (remove(task) === "refused")
        return sendJson(
          response,
          409,
          refusal("OperationDenied.TaskRunning", `The task is ${task.status}.`),
        );
      sendJson(response, 200, {});
    },
  };
}
