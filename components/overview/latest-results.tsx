import { useTranslations } from "next-intl";
import type { CSSProperties } from "react";
import { useTaskName } from "@/components/requests/task-name";
import { Thumbnail } from "@/components/requests/thumbnail";
import { Link } from "@/components/ui/link";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { clockText } from "@/lib/client/clock-text";
import { useResultPath } from "@/lib/client/result-url";
import { useMay } from "@/lib/client/shown-account";
import { shapeOfTask, useTasks } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

const SHOWN_MAX = 8;
const link = "underline decoration-line-strong underline-offset-3 hover:decoration-ink";

/** The newest results whose files are still kept, as pictures. */
export function LatestResults() {
  const t = useTranslations("overview");
  const orders = useMay("order");
  const { tasks, error, refetch } = useTasks({ state: "succeeded" });
  const kept = tasks?.filter(({ result }) => result?.url).slice(0, SHOWN_MAX);
  return (
    <section aria-labelledby="results" className="min-w-0">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id="results" className="text-lg">
          {t("results")}
        </h2>
        <Link href="/tasks" className={`text-sm ${link}`}>
          {t("allResults")}
        </Link>
      </div>
      {error && !kept ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      <div className={error && !kept ? "hidden" : "h-30 overflow-hidden"}>
        {kept === undefined ? (
          <Skeleton className="size-full" />
        ) : kept.length === 0 ? (
          <p className="grid size-full place-content-center rounded-lg border border-line-strong border-dashed px-5 text-center text-muted text-sm">
            <span>
              {orders
                ? t.rich("noResults", {
                    video: (text) => (
                      <Link href="/playground/video" className={link}>
                        {text}
                      </Link>
                    ),
                    image: (text) => (
                      <Link href="/playground/image" className={link}>
                        {text}
                      </Link>
                    ),
                  })
                : t("noResultsHere")}
            </span>
          </p>
        ) : (
          <ul className="flex gap-2.5 overflow-x-auto [scrollbar-width:none]">
            {kept.map((task) => (
              <Result key={task.id} task={task} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Result({ task }: { task: TaskView }) {
  const name = useTaskName()(task);
  const path = useResultPath(task);
  const seconds = task.delivered?.seconds ?? task.settings.seconds;
  const shape = Math.min(2.4, Math.max(0.56, shapeOfTask(task)));
  if (path === null) return null;
  return (
    <li className="shrink-0">
      <Link
        href={`/tasks/${task.id}`}
        prefetch={false}
        aria-label={name}
        title={task.settings.prompt ?? undefined}
        style={{ "--shape": String(shape) } as CSSProperties}
        className="relative block h-30 w-[calc(7.5rem*var(--shape))] max-w-full overflow-hidden rounded-md bg-wash"
      >
        <Thumbnail family={task.family} path={path} />
        {task.family === "video" && seconds ? (
          <span className="num absolute bottom-1.5 left-1.5 rounded-sm bg-scrim px-1 py-px text-on-scrim text-xs">
            {clockText(seconds)}
          </span>
        ) : null}
      </Link>
    </li>
  );
}
