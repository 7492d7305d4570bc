import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { ImageSet } from "@/components/requests/image-set";
import { TaskFacts } from "@/components/requests/task-facts";
import { useTaskName } from "@/components/requests/task-name";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useResultPath } from "@/lib/client/result-url";
import type { TaskView } from "@/lib/contract/tasks";

interface LightboxProps {
  /** What can be looked through, the newest first. */
  tasks: readonly TaskView[];
  /** The one that is shown; null: none is. */
  id: string | null;
  onMove: (id: string | null) => void;
}

/** The left and right arrow keys; a film has them for itself. */
function useArrows(isOn: boolean, move: (step: number) => void): void {
  useEffect(() => {
    if (!isOn) return;
    const press = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLVideoElement) return;
      if (key === "ArrowLeft") move(-1);
      if (key === "ArrowRight") move(1);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

/** One result as large as the window; the arrow keys go to its neighbours. */
export function Lightbox({ tasks, id, onMove }: LightboxProps) {
  const t = useTranslations("studio");
  const nameOf = useTaskName();
  const at = tasks.findIndex((task) => task.id === id);
  const task = tasks[at];
  const move = (step: number) => {
    const next = tasks[at + step];
    if (next) onMove(next.id);
  };
  useArrows(task !== undefined, move);
  if (!task) return null;
  return (
    <Dialog
      onClose={() => onMove(null)}
      title={t("larger", { name: nameOf(task) })}
      className="max-sm:h-[92dvh] sm:h-[calc(100dvh-2rem)] sm:max-h-none sm:w-[calc(100vw-2rem)] [&>div:first-child]:sr-only"
    >
      <div className="flex h-full flex-col gap-3">
        <div className="relative min-h-0 flex-1">
          <Large key={task.id} task={task} />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <div className="flex gap-1.5">
            <Step label={t("previous")} isOff={at === 0} onClick={() => move(-1)}>
              <ChevronLeft aria-hidden />
            </Step>
            <Step label={t("next")} isOff={at === tasks.length - 1} onClick={() => move(1)}>
              <ChevronRight aria-hidden />
            </Step>
          </div>
          <span className="num text-muted" role="status">
            {t("position", { at: at + 1, count: tasks.length })}
          </span>
          <TaskFacts task={task} />
          <p className="min-w-0 flex-1 basis-64 truncate text-muted">{task.settings.prompt}</p>
        </div>
      </div>
    </Dialog>
  );
}

interface StepProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Step({ label, isOff, onClick, children }: StepProps) {
  return (
    <Button size="icon" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      {children}
    </Button>
  );
}

function Large({ task }: { task: TaskView }) {
  const path = useResultPath(task);
  const name = useTaskName()(task);
  const whole = "absolute inset-0 size-full rounded-md bg-wash object-contain";
  if (path === null) return null;
  if (task.files.length > 1)
    return (
      <div className="absolute inset-0 overflow-y-auto">
        <ImageSet
          task={task}
          className="max-h-[calc(100dvh-12rem)] w-full rounded-md bg-wash object-contain"
        />
      </div>
    );
  return task.family === "video" ? (
    // biome-ignore lint/a11y/useMediaCaption: the model makes no captions
    <video controls autoPlay loop playsInline aria-label={name} src={path} className={whole} />
  ) : (
    // biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once
    <img src={path} alt={name} className={whole} />
  );
}
