import type { TaskView } from "../contract/tasks";
import { useNow } from "./now";

/** The path of a task's file; null when there is none or its link has expired. */
export function useResultPath(task: Pick<TaskView, "result">): string | null {
  const now = useNow();
  const { url, expiresAt } = task.result ?? { url: null, expiresAt: "" };
  return url === null || Date.parse(expiresAt) <= now ? null : ownPath(url);
}

/**
 * The path of one of our results, so that it plays whichever host name this server was called by.
 */
function ownPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
