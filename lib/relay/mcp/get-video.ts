/** The tool `get_video`: a task, at once or when its video is ready. */
import { isTaskOpen, taskStatuses } from "../../contract/states";
import { pause } from "../../pause";
import { answered, type ToolResult, toolResult } from "./results";
import { type ToolCall, withProgress } from "./tool-call";

const LOOK_MS = 2000;

async function lookUntilEnded(
  { ask, signal, isDraining }: ToolCall,
  id: string,
  waitSeconds: number,
): Promise<ToolResult> {
  const path = `/v1/contents/generations/tasks/${encodeURIComponent(id)}`;
  const until = performance.now() + waitSeconds * 1000;
  for (;;) {
    const { isOk, answer } = await answered(ask, { method: "GET", path });
    const status = taskStatuses.find((each) => each === answer.status);
    const left = until - performance.now();
    const isOpen = status !== undefined && isTaskOpen(status);
    if (!isOpen || left <= 0 || signal.aborted || isDraining()) return toolResult(answer, isOk);
    await pause(Math.min(left, LOOK_MS), { signal });
  }
}

export const getVideo = (call: ToolCall, id: string, waitSeconds: number): Promise<ToolResult> =>
  withProgress(call, "The video is being made.", lookUntilEnded(call, id, waitSeconds));
