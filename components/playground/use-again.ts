import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { taskQuery, useTask } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

/**
 * Puts a task's settings into the form: of the task that the URL names, and of tasks chosen on the
 * page.
 */
export function useAgain(apply: (task: TaskView) => void): {
  task: TaskView | null;
  choose: (task: TaskView) => void;
  /** The same of a task that is read first; one that is gone changes nothing. */
  chooseById: (id: string) => void;
  isMissing: boolean;
} {
  const id = useSearchParams().get("again");
  const { data, error } = useTask(id);
  const [task, setTask] = useState<TaskView | null>(null);
  const applied = useRef<string | null>(null);
  const choose = (next: TaskView) => {
    setTask(next);
    apply(next);
  };
  const client = useQueryClient();
  const chooseById = (wanted: string) =>
    void client.fetchQuery(taskQuery(wanted)).then(
      (found) => latest.current(found.task),
      () => {},
    );
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    if (!data || applied.current === id) return;
    applied.current = id;
    latest.current(data.task);
  }, [data, id]);
  return { task, choose, chooseById, isMissing: error !== null };
}
