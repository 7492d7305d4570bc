import { Link } from "@/components/ui/link";
import type { TaskView } from "@/lib/contract/tasks";
import { FamilyTag } from "./family-tag";

/** The model of a task, as a link to the task's page. */
export function TaskLink({ task }: { task: Pick<TaskView, "id" | "family" | "model"> }) {
  return (
    <Link
      href={`/tasks/${task.id}`}
      prefetch={false}
      className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      <FamilyTag family={task.family}>{task.model}</FamilyTag>
    </Link>
  );
}
