import { Clapperboard, ImageOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { TaskFacts } from "@/components/requests/task-facts";
import { useTaskName } from "@/components/requests/task-name";
import { Thumbnail } from "@/components/requests/thumbnail";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { clockText } from "@/lib/client/clock-text";
import { useResultPath } from "@/lib/client/result-url";
import { useElapsedSeconds } from "@/lib/client/task-times";
import { isOpenTask, shapeOfTask, useTypicalSeconds } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

interface WallProps {
  family: TaskView["family"];
  tasks: readonly TaskView[];
  /** The ids of those on the stage. */
  shown: readonly string[];
  onChoose: (task: TaskView) => void;
  hasOlder: boolean;
}

/** All results in rows, each in its own shape: what runs first, then the newest. */
export function Wall({ family, tasks, shown, onChoose, hasOlder }: WallProps) {
  const t = useTranslations("studio");
  const running = tasks.filter(isOpenTask);
  const ended = tasks.filter((task) => !isOpenTask(task));
  const links = ended.filter(({ result }) => result?.url).length;
  return (
    <section aria-labelledby="wall" className="mt-5 border-t pt-3.5">
      <div className="mb-2.5 flex flex-wrap items-baseline gap-x-3">
        <h2 id="wall" className="text-lg">
          {t(family === "video" ? "yourVideos" : "yourImages")}
        </h2>
        <p className="flex-1 text-muted text-sm">
          {tasks.length > 0 ? t("wallCount", { running: running.length, links }) : null}
        </p>
        <Link
          href={`/tasks?family=${family}`}
          className="rounded-sm text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {t("allTasks")}
        </Link>
      </div>
      {tasks.length === 0 ? (
        <p className="py-3 text-muted text-sm">{t(family === "video" ? "noVideos" : "noImages")}</p>
      ) : null}
      <ul className="flex flex-wrap gap-2.5">
        {running.map((task) => (
          <li key={task.id} className="max-sm:w-full">
            <RunningTile
              task={task}
              isShown={shown.includes(task.id)}
              onChoose={() => onChoose(task)}
            />
          </li>
        ))}
        {ended.map((task) => (
          <li key={task.id}>
            <Tile task={task} isShown={shown.includes(task.id)} onChoose={() => onChoose(task)} />
          </li>
        ))}
      </ul>
      {hasOlder ? <p className="mt-4 text-muted text-sm">{t("olderInTasks")}</p> : null}
    </section>
  );
}

interface TileProps {
  task: TaskView;
  isShown: boolean;
  onChoose: () => void;
}

const ring = "shadow-[0_0_0_2px_var(--paper),0_0_0_4px_var(--ink)]";

function Tile({ task, isShown, onChoose }: TileProps) {
  const t = useTranslations("studio");
  const name = useTaskName()(task);
  const path = useResultPath(task);
  const request = task.entry?.request;
  const shape = Math.min(2.4, Math.max(0.56, shapeOfTask(task)));
  return (
    <button
      type="button"
      aria-label={t("show", { name })}
      aria-current={isShown || undefined}
      title={task.settings.prompt ?? undefined}
      onClick={onChoose}
      style={path ? { width: `calc(4.75rem * ${shape})` } : undefined}
      className={cn(
        "relative block h-19 overflow-hidden rounded-md bg-wash transition-shadow",
        !path && "w-34 border border-line-strong border-dashed px-2 text-center text-muted text-xs",
        isShown && ring,
      )}
    >
      {path ? <Thumbnail family={task.family} path={path} /> : null}
      {path ? null : (
        <span className="grid justify-items-center gap-1">
          {task.status === "succeeded" ? (
            <Clapperboard aria-hidden className="size-4" />
          ) : (
            <ImageOff aria-hidden className="size-4" />
          )}
          {t(task.status === "succeeded" ? "endedShort" : "failedShort")}
        </span>
      )}
      {path && task.files.length > 1 ? (
        <span className="num absolute top-1 right-1 rounded-sm bg-scrim px-1 py-px text-[0.6875rem] text-on-scrim">
          × {task.files.length}
        </span>
      ) : null}
      {path && request?.settled && shapeOfTask(task) >= 1 ? (
        <PointsText
          value={request.settled}
          className="absolute bottom-1 left-1 rounded-sm bg-scrim px-1 py-px text-[0.6875rem] text-on-scrim"
        />
      ) : null}
    </button>
  );
}

/** What runs: for how long, beside how long it takes usually, and what it holds. */
function RunningTile({ task, isShown, onChoose }: TileProps) {
  const t = useTranslations("studio");
  const entries = useTranslations("entries");
  const name = useTaskName()(task);
  const typical = useTypicalSeconds(task.model, task.settings.more.service_tier);
  const elapsed = useElapsedSeconds(task);
  const share = typical === null ? 0 : Math.min(0.96, elapsed / typical);
  const request = task.entry?.request;
  return (
    <button
      type="button"
      aria-label={t("show", { name })}
      aria-current={isShown || undefined}
      onClick={onChoose}
      className={cn(
        "grid min-h-19 w-full gap-1.5 rounded-md border border-held bg-card px-3 py-2 text-left text-sm sm:w-60",
        isShown && ring,
      )}
    >
      <span className="flex items-baseline justify-between gap-2">
        <FamilyTag family={task.family}>{task.model}</FamilyTag>
        <span className="num font-medium">{clockText(elapsed)}</span>
      </span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-2 whitespace-nowrap text-xs">
        <TaskFacts task={task} />
        {request ? (
          <span className="text-held-ink">
            <PointsText value={request.held} /> {entries("heldNow")}
          </span>
        ) : null}
      </span>
      <span aria-hidden className="h-1.25 overflow-hidden rounded-full bg-wash">
        <span
          className="block h-full origin-left bg-hatch-held"
          style={{ transform: `scaleX(${share})` }}
        />
      </span>
    </button>
  );
}
