"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TaskCard } from "@/components/requests/task-card";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import type { useTasks } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

interface GalleryProps {
  family: TaskView["family"];
  query: Pick<ReturnType<typeof useTasks>, "tasks" | "error" | "refetch" | "hasNextPage">;
  onAgain: (task: TaskView) => void;
  /** Shown before the results: requests in progress. */
  children?: ReactNode;
  hasOthers?: boolean;
}

/** The latest results of one family, from all devices. The tasks page has the others. */
export function Gallery({ family, query, onAgain, children, hasOthers = false }: GalleryProps) {
  const t = useTranslations("studio");
  const { tasks, error, hasNextPage } = query;
  return (
    <section aria-labelledby="results" className="min-w-0">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="results" className="text-lg">
          {t(family === "video" ? "videos" : "images")}
        </h2>
        <Link
          href={`/tasks?family=${family}`}
          className="rounded-sm text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {t("allTasks")}
        </Link>
      </div>
      {error && !tasks ? <QueryFailure error={error} onRetry={() => void query.refetch()} /> : null}
      {!error && !tasks ? <Skeleton className="h-64 w-full" /> : null}
      {tasks?.length === 0 && !hasOthers ? (
        <p className="rounded-lg border border-dashed px-5 py-16 text-center text-muted">
          {t(family === "video" ? "noVideos" : "noImages")}
        </p>
      ) : null}
      <div className="grid items-start gap-3.5 xl:grid-cols-2">
        {children}
        {tasks?.map((task) => (
          <TaskCard key={task.id} task={task} onAgain={() => onAgain(task)} />
        ))}
      </div>
      {hasNextPage ? (
        <p className="mt-4 text-center text-muted text-sm">{t("olderInTasks")}</p>
      ) : null}
    </section>
  );
}
