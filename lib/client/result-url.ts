import type { TaskView } from "../contract/tasks";
import { useNow } from "./now";

/** The path of a task's file while its link works; null: there is none, or it has ended, also while the page was open. */
export function useResultPath(task: Pick<TaskView, "result">): string | null {
  const now = useNow();
  const { url, expiresAt } = task.result ?? { url: null, expiresAt: "" };
  return url === null || Date.parse(expiresAt) <= now ? null : ownPath(url);
}

/** Our own result by its path, so that it plays whatever name this server is called by. */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
