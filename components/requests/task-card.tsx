import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { isOpenTask } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { TaskActions } from "./task-actions";
import { TaskCharge } from "./task-charge";
import { TaskFacts } from "./task-facts";
import { TaskFrame } from "./task-frame";
import { TaskLink } from "./task-link";
import { useTaskName } from "./task-name";

export function StatusPill({ task }: { task: Pick<TaskView, "status"> }) {
  const t = useTranslations("studio");
  return (
    <Pill tone={isOpenTask(task) ? "held" : task.status === "succeeded" ? "ok" : "plain"}>
      {t(task.status)}
    </Pill>
  );
}

/** One video or image in a list. */
export function TaskCard({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const { prompt } = task.settings;
  return (
    <Card
      isOneOfMany
      aria-label={useTaskName()(task)}
      aria-busy={isOpenTask(task)}
      className="grid min-w-0 content-start gap-3 p-3.5"
    >
      <TaskFrame task={task} />
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
          <TaskLink task={task} />
          {task.status === "succeeded" ? null : <StatusPill task={task} />}
          <span className="ml-auto text-muted">
            <RelativeTime at={task.at} />
          </span>
        </div>
        <p className="text-sm">
          <TaskFacts task={task} />
        </p>
        <p className="wrap-anywhere line-clamp-2 min-h-10 text-sm">
          {prompt ?? <span className="text-muted">{t("promptGone")}</span>}
        </p>
      </div>
      <TaskCharge task={task} />
      <TaskActions task={task} />
    </Card>
  );
}
