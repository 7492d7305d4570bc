import type { TaskView } from "../contract/tasks";
import { useNow } from "./now";

/** The path of a task's file; null when there is none or its link has expired. */
export function useResultPath(task: Pick<TaskView, "result">): string | null {
  const now = useNow();
  const { url, expiresAt } = task.result ?? { url: null, expiresAt: "" };
  return url === null || Date.parse(expiresAt) <= now ? null : ownPath(url);
}

/** The path of the picture of a video's last frame; null where there is none, or no longer. */
export function useLastFramePath({ result }: Pick<TaskView, "result">): string | null {
  const url = result?.lastFrameUrl ?? null;
  return useResultPath({ result: result && { ...result, url } });
}

/** The paths of the images of an order of several, in their order. */
export function useFilePaths({ files, result }: Pick<TaskView, "files" | "result">) {
  const now = useNow();
  const isOver = result === null || Date.parse(result.expiresAt) <= now;
  return files.map(({ url }) => (url === null || isOver ? null : ownPath(url)));
}

/**
 * The path of one of our results, so that it plays whichever host name this server was called by.
 */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
