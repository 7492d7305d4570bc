import { Expand } from "lucide-react";
import { useTranslations } from "next-intl";
import { TaskActions } from "@/components/requests/task-actions";
import { StatusPill } from "@/components/requests/task-card";
import { TaskCharge } from "@/components/requests/task-charge";
import { TaskFacts } from "@/components/requests/task-facts";
import { TaskFrame } from "@/components/requests/task-frame";
import { TaskLink } from "@/components/requests/task-link";
import { useTaskName } from "@/components/requests/task-name";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { useListText } from "@/components/ui/use-list-text";
import { pictureShownBy } from "@/lib/client/picture-file";
import { useResultPath } from "@/lib/client/result-url";
import { tookMs } from "@/lib/client/task-times";
import { isOpenTask, useTask } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { type Arrival, useArrival } from "./use-arrival";

interface StageTaskProps {
  task: TaskView;
  /** Its place among those on the stage. */
  at: number;
  count: number;
  arrival: Arrival;
  onAgain: () => void;
  onEnlarge: () => void;
  uses: readonly StageUse[];
}

/** What a result can be used for. */
export interface StageUse {
  readonly label: string;
  /** `picture`: what is shown now, null where it cannot be read; `at`: which one of several. */
  readonly use: (shown: { readonly picture: string | null; readonly at: number }) => void;
}

/** One result on the stage, with its facts and actions. */
export function StageTask(props: StageTaskProps) {
  const listed = useListText();
  const { task, at, count, arrival, onAgain, onEnlarge, uses } = props;
  const t = useTranslations("studio");
  const name = useTaskName()(task);
  const isNarrow = count > 1;
  const path = useResultPath(task);
  const place = useArrival(arrival);
  const take = (use: StageUse["use"]) => {
    const shown = place.current?.querySelector<HTMLVideoElement | HTMLImageElement>("video, img");
    use({ picture: shown ? pictureShownBy(shown) : null, at: Number(shown?.dataset.at ?? 0) });
  };
  return (
    <article
      ref={place}
      tabIndex={-1}
      aria-label={isNarrow ? listed([name, t("position", { at, count })]) : name}
      aria-busy={isOpenTask(task)}
      className="min-w-0 scroll-mt-4 rounded-md outline-offset-4"
    >
      <div className="relative">
        <TaskFrame task={task} look="stage" />
        {path ? (
          <Button
            size="icon"
            aria-label={t("enlarge")}
            title={t("enlarge")}
            onClick={onEnlarge}
            className="absolute top-2.5 right-2.5 border-transparent bg-card/85"
          >
            <Expand aria-hidden />
          </Button>
        ) : null}
      </div>
      <div
        className={cn(
          "mt-3 grid gap-x-8 gap-y-3",
          !isNarrow && "xl:grid-cols-[minmax(0,1fr)_24rem]",
        )}
      >
        <Caption task={task} />
        <TaskCharge task={task} />
        <TaskActions task={task} onAgain={onAgain} isWide={!isNarrow}>
          {path
            ? uses.map(({ label, use }) => (
                <Button key={label} size="small" onClick={() => take(use)}>
                  {label}
                </Button>
              ))
            : null}
        </TaskActions>
      </div>
    </article>
  );
}

/** Model, status, facts and prompt. */
function Caption({ task }: { task: TaskView }) {
  const t = useTranslations("studio");
  const tasks = useTranslations("tasks");
  const durationText = useDurationText();
  const { data } = useTask(isOpenTask(task) ? null : task.id);
  const took = data ? tookMs(data) : null;
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
        <TaskLink task={task} />
        {task.status === "succeeded" ? null : <StatusPill task={task} />}
        <TaskFacts task={task} />
        {took === null ? null : (
          <span className="text-muted">{t("took", { time: durationText(took) })}</span>
        )}
      </p>
      <p className="wrap-anywhere line-clamp-2 text-muted text-sm">
        {task.settings.prompt ?? tasks("promptGone")}
      </p>
    </div>
  );
}
