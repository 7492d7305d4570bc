import type { TaskDetailView, TaskView } from "../contract/tasks";
import { useNowEachSecond } from "./now";

/** For how long a task has gone on. */
export function useElapsedSeconds({ at }: Pick<TaskView, "at">): number {
  return Math.max(0, Math.floor((useNowEachSecond() - Date.parse(at)) / 1000));
}

/** How many milliseconds an ended task took; null where it is not known. */
export function tookMs({ times }: TaskDetailView): number | null {
  return times.ended === null
    ? null
    : Math.max(0, Date.parse(times.ended) - Date.parse(times.queued));
}
