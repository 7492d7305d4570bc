import { useTranslations } from "next-intl";
import { useRef } from "react";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { useIsSeen } from "@/components/ui/use-is-seen";
import { clockText } from "@/lib/client/clock-text";
import { useResultPath } from "@/lib/client/result-url";
import { useElapsedSeconds } from "@/lib/client/task-times";
import { isOpenTask, useTypicalSeconds } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { ImageSet } from "./image-set";
import { useReasonText } from "./reason-text";
import { useTaskName } from "./task-name";

const looks = {
  /** In a list. */
  card: { box: "aspect-video", media: "" },
  /** On its own page a result keeps its aspect ratio. */
  page: { box: "aspect-video", media: "max-h-[75dvh]" },
  /** On the stage of the studio: as large as the window allows. */
  stage: {
    box: "aspect-video max-h-(--stage-height,75dvh)",
    media: "max-h-(--stage-height,75dvh)",
  },
};
type Look = keyof typeof looks;

interface TaskFrameProps {
  task: TaskView;
  look?: Look;
}

/** The video or image, or why there is none. */
export function TaskFrame({ task, look = "card" }: TaskFrameProps) {
  const t = useTranslations("tasks");
  const reasonText = useReasonText();
  const name = useTaskName()(task);
  const path = useResultPath(task);
  if (isOpenTask(task)) return <Waiting task={task} look={look} />;
  const place = cn(
    "grid w-full place-content-center gap-1 rounded-md bg-wash px-5 text-center text-sm",
    looks[look].box,
  );
  if (path && task.family === "video") return <Film name={name} path={path} look={look} />;
  if (path && task.files.length > 1 && look !== "card")
    return (
      <ImageSet
        task={task}
        className={cn("aspect-video w-full rounded-md bg-wash object-contain", looks[look].media)}
      />
    );
  if (path) {
    return (
      // biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once
      <img
        src={path}
        alt={name}
        loading={look === "card" ? "lazy" : "eager"}
        width={task.delivered?.width ?? undefined}
        height={task.delivered?.height ?? undefined}
        className={cn(
          "w-full rounded-md bg-wash object-contain",
          look === "page" ? "h-auto" : "aspect-video",
          looks[look].media,
        )}
      />
    );
  }
  if (task.status === "succeeded")
    return <p className={cn(place, "text-muted")}>{t("linkEnded")}</p>;
  // Why an image failed is only in its request.
  if (task.entry === null && task.errorCode === null)
    return <p className={cn(place, "text-muted")}>{t("archivedReason")}</p>;
  return (
    <div className={place}>
      <p className="wrap-anywhere">{reasonText(task.errorCode ?? "upstream_failed")}</p>
      <p className="font-medium">{t("notCharged")}</p>
    </div>
  );
}

/** Loads the length and the first frame only when scrolled into view: a list may have hundreds. */
function Film({ name, path, look }: { name: string; path: string; look: Look }) {
  const film = useRef<HTMLVideoElement>(null);
  const isSeen = useIsSeen(film, look !== "card");
  return (
    // biome-ignore lint/a11y/useMediaCaption: the model makes no captions
    <video
      ref={film}
      controls
      playsInline
      preload={isSeen ? "metadata" : "none"}
      aria-label={name}
      src={path}
      className={cn("aspect-video w-full rounded-md bg-wash", looks[look].media)}
    />
  );
}

/** So many times the typical time is late. */
const LATE_FROM = 1.5;

/** The time so far, and the typical time. */
function Waiting({ task, look }: { task: TaskView; look: Look }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const durationText = useDurationText();
  const typical = useTypicalSeconds(task.model, task.settings.more.service_tier);
  const elapsed = useElapsedSeconds(task);
  const share = typical === null ? 0 : Math.min(0.96, elapsed / typical);
  const word = share > 0 && elapsed > (typical ?? 0) * LATE_FROM ? "late" : "usually";
  return (
    <div
      className={cn(
        "relative grid w-full place-content-center overflow-hidden rounded-md bg-wash px-5 text-center",
        looks[look].box,
      )}
    >
      <p className="num text-2xl" aria-hidden>
        {clockText(elapsed)}
      </p>
      <p role="status" className="text-sm">
        {studio(task.status)}
      </p>
      <p className="text-muted text-sm">
        {typical === null ? null : `${t(word, { time: durationText(typical * 1000) })} · `}
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
