import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import type { useTasks } from "@/lib/client/tasks";
import { StarterChips } from "./starter-chips";

interface StageProps {
  family: "video" | "image";
  query: Pick<ReturnType<typeof useTasks>, "tasks" | "error" | "refetch">;
  /** What is shown now, side by side; none yet where it is empty. */
  shown: readonly ReactNode[];
  onStarter: (prompt: string) => void;
  /** All results. */
  wall: ReactNode;
}

/** The results: the selected ones large, and all of them as a wall. */
export function Stage({ family, query, shown, onStarter, wall }: StageProps) {
  const t = useTranslations("studio");
  const { tasks, error } = query;
  return (
    <section
      aria-label={t("stage")}
      // The height leaves room for the bars above the result and the facts below it.
      className="[--stage-height:max(14rem,calc(100dvh-32rem))] lg:[--stage-height:max(14rem,calc(100dvh-22rem))] relative min-h-0 min-w-0 flex-1 overflow-y-auto px-4 py-4 lg:px-6"
    >
      {error && !tasks ? <QueryFailure error={error} onRetry={() => void query.refetch()} /> : null}
      {!error && !tasks && shown.length === 0 ? (
        <Skeleton className="aspect-video max-h-(--stage-height) w-full rounded-md" />
      ) : null}
      {tasks && shown.length === 0 ? (
        <div className="grid min-h-64 place-content-center justify-items-center gap-4 rounded-md border border-dashed px-5 py-10 lg:min-h-(--stage-height)">
          <p className="text-center text-lg">
            {t(family === "video" ? "stageEmptyVideo" : "stageEmptyImage")}
          </p>
          <p className="text-muted text-sm">{t("tryOne")}</p>
          <StarterChips family={family} onChoose={onStarter} />
        </div>
      ) : null}
      {shown.length > 0 ? (
        <div
          className={
            shown.length === 1
              ? ""
              : "grid items-start gap-4 sm:grid-cols-2 sm:[--stage-height:46dvh]"
          }
        >
          {shown}
        </div>
      ) : null}
      {tasks ? wall : null}
    </section>
  );
}
