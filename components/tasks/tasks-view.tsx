"use client";

import { useTranslations } from "next-intl";
import { NotifyButton } from "@/components/requests/notify-button";
import { TaskCard } from "@/components/requests/task-card";
import { useArchivedMonths } from "@/components/requests/use-archived-months";
import { useReadyText } from "@/components/requests/use-ready-text";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { useKeptChoice } from "@/lib/client/kept-choice";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { useMay } from "@/lib/client/shown-account";
import { useTasks } from "@/lib/client/tasks";
import { TaskFilters } from "./task-filters";
import { TaskRows } from "./task-rows";
import { useTaskFilter } from "./use-task-filter";

const forms = ["wall", "rows"] as const;
const grid = "grid items-start gap-3.5 sm:grid-cols-2 xl:grid-cols-3";

export function TasksView() {
  const t = useTranslations("tasks");
  const filter = useTaskFilter();
  const [form, setForm] = useKeptChoice("tasks", forms);
  const query = useTasks(filter);
  const isEvery = useMay("readEveryResult");
  const { tasks, error } = query;
  useReadyNotice(tasks, useReadyText());
  const months = useArchivedMonths(query.data?.pages[0]?.archived);
  const isFiltered = Object.values(filter ?? {}).some((value) => value !== undefined);
  return (
    <>
      <PageHead title={t("title")} note={t(isEvery ? "note" : "noteOwn")}>
        <div className="flex flex-wrap items-center gap-2.5">
          <NotifyButton />
          <Segmented
            label={t("form")}
            value={form}
            onChange={setForm}
            options={forms.map((value) => ({ value, label: t(`forms.${value}`) }))}
          />
        </div>
      </PageHead>
      <TaskFilters filter={filter} />
      {error && !tasks ? <QueryFailure error={error} onRetry={() => void query.refetch()} /> : null}
      {!error && !tasks ? <CardsSkeleton /> : null}
      {tasks?.length === 0 ? <Empty isFiltered={isFiltered} /> : null}
      {tasks && tasks.length > 0 ? (
        <section
          aria-label={t("results")}
          aria-busy={query.isPlaceholderData}
          className={form === "wall" ? grid : ""}
        >
          {form === "wall" ? (
            tasks.map((task) => <TaskCard key={task.id} task={task} />)
          ) : (
            <TaskRows tasks={tasks} />
          )}
        </section>
      ) : null}
      {query.hasNextPage ? (
        <p className="mt-5 text-center">
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("more")}
          </Button>
        </p>
      ) : null}
      {months === null ? null : (
        <p className="mt-5 max-w-[80ch] text-sm">{t("archived", { months })}</p>
      )}
      {tasks ? <p className="mt-5 max-w-[80ch] text-muted text-sm">{t("kept")}</p> : null}
    </>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations("tasks");
  return (
    <div className="grid justify-items-center gap-4 rounded-lg border border-dashed px-5 py-16 text-center">
      <p className="max-w-[52ch] text-muted">{isFiltered ? t("emptyFilter") : t("empty")}</p>
      {isFiltered ? null : (
        <ForRole needs="order">
          <p className="flex flex-wrap justify-center gap-2">
            <Button asChild look="signal">
              <Link href="/playground/video">{t("makeVideo")}</Link>
            </Button>
            <Button asChild>
              <Link href="/playground/image">{t("makeImage")}</Link>
            </Button>
          </p>
        </ForRole>
      )}
    </div>
  );
}

/** A placeholder for cards that are loading. */
function CardsSkeleton() {
  return (
    <div className={grid}>
      {["first", "second", "third"].map((card) => (
        <Card key={card} className="grid gap-3 p-3.5">
          <Skeleton className="aspect-video w-full rounded-md" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-8 w-56 max-w-full" />
        </Card>
      ))}
    </div>
  );
}
