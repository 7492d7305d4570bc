import { useLocale, useTranslations } from "next-intl";
import { Part } from "@/components/requests/request-parts";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { isOpenTask } from "@/lib/client/tasks";
import { exactTime } from "@/lib/client/times";
import type { TaskDetailView } from "@/lib/contract/tasks";

interface Step {
  name: "queued" | "submitted" | "running" | "stored" | "settled" | "released";
  at: string | null;
}

/** The past steps and, while it runs, the next ones. Steps without a recorded time are left out. */
function stepsOf({ task, times }: TaskDetailView): Step[] {
  const isReleased =
    task.entry === null ? task.status !== "succeeded" : task.entry.request?.state === "released";
  const end = isReleased ? "released" : "settled";
  const steps: Step[] = [
    { name: "queued", at: times.queued },
    { name: "submitted", at: times.submitted },
    ...(task.family === "video" ? [{ name: "running", at: times.running } as const] : []),
    { name: "stored", at: times.stored },
    { name: end, at: times.ended },
  ];
  return isOpenTask(task) ? steps : steps.filter(({ at }) => at !== null);
}

/** The states of a task with the times at which it reached them. */
export function TimelinePart({ detail }: { detail: TaskDetailView }) {
  const t = useTranslations("tasks.timeline");
  const locale = useLocale();
  const durationText = useDurationText();
  return (
    <Part title={t("title")}>
      <ol className="grid text-sm">
        {stepsOf(detail).map(({ name, at }) => (
          <li
            key={name}
            className="relative grid grid-cols-[1fr_auto] gap-x-3 pb-3 pl-5 before:absolute before:top-2.5 before:bottom-[-0.375rem] before:left-[4px] before:w-0.5 before:bg-line-strong last:pb-0 last:before:hidden"
          >
            <span
              aria-hidden
              className={cn(
                "absolute top-1.5 left-0 size-2.5 rounded-full border-2",
                at === null
                  ? "border-control border-dashed bg-card"
                  : name === "settled"
                    ? "border-ok bg-ok"
                    : name === "released"
                      ? "border-control bg-card"
                      : "border-ink bg-ink",
              )}
            />
            <span className={at === null ? "text-muted" : undefined}>{t(name)}</span>
            {at === null ? null : (
              <time
                dateTime={at}
                title={exactTime(at, locale)}
                className="num text-muted text-xs leading-5"
              >
                {name === "queued"
                  ? exactTime(at, locale)
                  : t("after", {
                      time: durationText(Date.parse(at) - Date.parse(detail.times.queued)),
                    })}
              </time>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}
