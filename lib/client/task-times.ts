import type { TaskDetailView, TaskView } from "../contract/tasks";
import { useNowEachSecond } from "./now";

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** `0:38`, or `3:43:37` from an hour on. */
export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const end = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes % 60)}:${end}` : `${minutes}:${end}`;
}

/** For how long a task has gone on. */
export function useElapsedSeconds({ at }: Pick<TaskView, "at">): number {
  return Math.max(0, Math.floor((useNowEachSecond() - Date.parse(at)) / 1000));
}

/** How long an ended task took; null where it is not known. */
export function tookSeconds({ times }: TaskDetailView): number | null {
  return times.ended === null
    ? null
    : Math.max(0, Math.round((Date.parse(times.ended) - Date.parse(times.queued)) / 1000));
}
