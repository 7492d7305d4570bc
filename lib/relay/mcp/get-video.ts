/** The tools `get_video` and `get_image`: a task, at once or when its result is ready. */
import { isTaskOpen, taskStatuses } from "../../contract/states";
import { pause } from "../../timing/pause";
import { withPicture } from "./generate";
import { answered, type ToolResult, toolResult } from "./results";
import { type ToolCall, withProgress } from "./tool-call";

const LOOK_MS = 2000;

async function lookUntilEnded(
  { ask, signal, isDraining }: ToolCall,
  path: string,
  waitSeconds: number,
): Promise<{ readonly isOk: boolean; readonly answer: Record<string, unknown> }> {
  const until = performance.now() + waitSeconds * 1000;
  for (;;) {
    const { isOk, answer } = await answered(ask, { method: "GET", path });
    const status = taskStatuses.find((each) => each === answer.status);
    const left = until - performance.now();
    const isOpen = status !== undefined && isTaskOpen(status);
    if (!isOpen || left <= 0 || signal.aborted || isDraining()) return { isOk, answer };
    await pause(Math.min(left, LOOK_MS), { signal });
  }
}

async function videoAt(call: ToolCall, id: string, waitSeconds: number): Promise<ToolResult> {
  const path = `/v1/contents/generations/tasks/${encodeURIComponent(id)}`;
  const { isOk, answer } = await lookUntilEnded(call, path, waitSeconds);
  return toolResult(answer, isOk);
}

export const getVideo = (call: ToolCall, id: string, waitSeconds: number): Promise<ToolResult> =>
  withProgress(call, "The video is being made.", videoAt(call, id, waitSeconds));

async function imageAt(call: ToolCall, id: string, waitSeconds: number): Promise<ToolResult> {
  const path = `/v1/images/generations/${encodeURIComponent(id)}`;
  const { isOk, answer } = await lookUntilEnded(call, path, waitSeconds);
  return withPicture(call.ask, isOk, answer);
}

export const getImage = (call: ToolCall, id: string, waitSeconds: number): Promise<ToolResult> =>
  withProgress(call, "The image is being made.", imageAt(call, id, waitSeconds));
