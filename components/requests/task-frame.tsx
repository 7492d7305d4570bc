"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { cn } from "@/components/ui/class-names";
import { useNowEachSecond } from "@/lib/client/now";
import { ownPath } from "@/lib/client/studio";
import { isOpenTask, useTypicalSeconds } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { useReasonText } from "./reason-text";
import { useTaskName } from "./task-name";

const clockText = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

interface TaskFrameProps {
  task: TaskView;
  /** On its own page a result keeps its aspect ratio. */
  isLarge?: boolean;
}

/** The video or image, or why there is none. */
export function TaskFrame({ task, isLarge = false }: TaskFrameProps) {
  const t = useTranslations("tasks");
  const reasonText = useReasonText();
  const name = useTaskName()(task);
  if (isOpenTask(task)) return <Waiting task={task} />;
  const url = task.result?.url;
  const place =
    "grid aspect-video w-full place-content-center gap-1 rounded-md bg-wash px-5 text-center text-sm";
  if (url && task.family === "video") return <Film name={name} url={url} isLarge={isLarge} />;
  if (url) {
    return (
      // biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once
      <img
        src={ownPath(url)}
        alt={name}
        loading={isLarge ? "eager" : "lazy"}
        width={task.delivered?.width ?? undefined}
        height={task.delivered?.height ?? undefined}
        className={cn(
          "w-full rounded-md bg-wash object-contain",
          isLarge ? "h-auto max-h-[75dvh]" : "aspect-video",
        )}
      />
    );
  }
  if (task.status === "succeeded")
    return <p className={cn(place, "text-muted")}>{t("linkEnded")}</p>;
  return (
    <div className={place}>
      <p className="wrap-anywhere">{reasonText(task.errorCode ?? "upstream_failed")}</p>
      <p className="font-medium">{t("notCharged")}</p>
    </div>
  );
}

/** Loads the length and the first frame only when scrolled into view: a list may have hundreds. */
function Film({ name, url, isLarge }: { name: string; url: string; isLarge: boolean }) {
  const film = useRef<HTMLVideoElement>(null);
  const [isSeen, setIsSeen] = useState(isLarge);
  useEffect(() => {
    if (isSeen || !film.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setIsSeen(true),
      { rootMargin: "200px" },
    );
    observer.observe(film.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: the model makes no captions
    <video
      ref={film}
      controls
      playsInline
      preload={isSeen ? "metadata" : "none"}
      aria-label={name}
      src={ownPath(url)}
      className={cn("aspect-video w-full rounded-md bg-wash", isLarge && "max-h-[75dvh]")}
    />
  );
}

/** The time so far, and the typical time. */
function Waiting({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const typical = useTypicalSeconds(task.model);
  const elapsed = Math.max(0, Math.floor((useNowEachSecond() - Date.parse(task.at)) / 1000));
  const share = typical === null ? 0 : Math.min(0.96, elapsed / typical);
  return (
    <div className="relative grid aspect-video w-full place-content-center overflow-hidden rounded-md bg-wash px-5 text-center">
      <p className="num text-2xl" aria-hidden>
        {clockText(elapsed)}
      </p>
      <p role="status" className="text-sm">
        {studio(task.status)}
      </p>
      <p className="text-muted text-sm">
        {typical === null ? null : `${t("usually", { time: clockText(typical) })} · `}
        {t("mayClose")}
      </p>
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-1 origin-left bg-held"
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
