import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/class-names";
import { useListText } from "@/components/ui/use-list-text";
import { useFilePaths } from "@/lib/client/result-url";
import type { TaskView } from "@/lib/contract/tasks";
import { useReasonText } from "./reason-text";
import { useTaskName } from "./task-name";

interface ImageSetProps {
  task: TaskView;
  /** Of the image that is shown large. */
  className: string;
}

/** The images of one order: one large, and all of them small below it. */
export function ImageSet({ task, className }: ImageSetProps) {
  const listed = useListText();
  const t = useTranslations("studio");
  const name = useTaskName()(task);
  const paths = useFilePaths(task);
  const count = paths.length;
  const [chosen, setChosen] = useState<number | null>(null);
  const at =
    chosen ??
    Math.max(
      0,
      paths.findIndex((path) => path !== null),
    );
  const path = paths[at];
  return (
    <div className="grid min-w-0 gap-1.5">
      {path ? (
        // biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once
        <img
          src={path}
          alt={listed([name, t("setPart", { at: at + 1, count })])}
          data-at={at}
          className={className}
        />
      ) : null}
      <ul className="flex gap-1.5 overflow-x-auto p-1">
        {paths.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the images of an order keep their places
          <li key={index} className="shrink-0">
            {each ? (
              <Small
                path={each}
                label={t("setPart", { at: index + 1, count })}
                isShown={index === at}
                onChoose={() => setChosen(index)}
              />
            ) : (
              <Missing task={task} at={index} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SmallProps {
  path: string;
  label: string;
  isShown: boolean;
  onChoose: () => void;
}

function Small({ path, label, isShown, onChoose }: SmallProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-current={isShown || undefined}
      onClick={onChoose}
      className={cn(
        "block size-14 overflow-hidden rounded-md bg-wash",
        isShown && "shadow-[0_0_0_1px_var(--paper),0_0_0_3px_var(--ink)]",
      )}
    >
      {/* biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once */}
      <img src={path} alt="" loading="lazy" className="size-full object-cover" />
    </button>
  );
}

/** One that was not made, with the reason. */
function Missing({ task, at }: { task: TaskView; at: number }) {
  const t = useTranslations("studio");
  const reasonText = useReasonText();
  const code = task.files[at]?.errorCode ?? null;
  const text = code === null ? t("endedShort") : `${reasonText(code)} ${t("setMissing")}`;
  return (
    <span
      title={text}
      className="grid size-14 place-content-center rounded-md border border-line-strong border-dashed text-muted text-xs"
    >
      <span aria-hidden>–</span>
      <span className="sr-only">
        {t("setPart", { at: at + 1, count: task.files.length })} · {text}
      </span>
    </span>
  );
}
