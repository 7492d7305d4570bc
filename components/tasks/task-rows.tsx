import { useTranslations } from "next-intl";
import { StatusPill } from "@/components/requests/task-card";
import { TaskFacts } from "@/components/requests/task-facts";
import { TaskLink } from "@/components/requests/task-link";
import { useTaskName } from "@/components/requests/task-name";
import { Thumbnail } from "@/components/requests/thumbnail";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { useResultPath } from "@/lib/client/result-url";
import { isOpenTask } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

/** Results as rows: many of them in sight; the task's page has the rest. */
export function TaskRows({ tasks }: { tasks: readonly TaskView[] }) {
  return (
    <Card>
      <ul className="divide-y">
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </ul>
    </Card>
  );
}

function TaskRow({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const path = useResultPath(task);
  const name = useTaskName()(task);
  const { prompt } = task.settings;
  return (
    <li
      aria-label={name}
      aria-busy={isOpenTask(task)}
      className="flex items-center gap-3 px-3.5 py-2"
    >
      <span className="h-11 w-16 shrink-0 overflow-hidden rounded-sm bg-wash">
        {path === null ? null : <Thumbnail family={task.family} path={path} />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2.5 text-sm">
          <TaskLink task={task} />
          {task.status === "succeeded" ? null : <StatusPill task={task} />}
          <span className="text-muted max-sm:hidden">
            <TaskFacts task={task} />
          </span>
        </span>
        <span className="block truncate text-sm">
          {prompt ?? <span className="text-muted">{t("promptGone")}</span>}
        </span>
      </span>
      <span className="shrink-0 text-right text-sm">
        <RowCharge task={task} />
        <span className="block text-muted">
          <RelativeTime at={task.at} />
        </span>
      </span>
    </li>
  );
}

/** What it cost, or what is held for it. */
function RowCharge({ task }: { task: TaskView }) {
  const settlement = useTranslations("settlement");
  const request = task.entry?.request;
  if (!request) return null;
  if (request.state === "held")
    return <PointsText value={request.held} className="text-held-ink" />;
  return request.settled === null ? (
    <span className="text-muted">{settlement("notCharged")}</span>
  ) : (
    <PointsText value={request.settled} />
  );
}
