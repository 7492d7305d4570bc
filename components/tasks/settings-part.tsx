import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Line, Part } from "@/components/requests/request-parts";
import { CopyButton } from "@/components/ui/copy-button";
import type { TaskView } from "@/lib/contract/tasks";
import { MoreLines } from "./more-lines";

/** The task's settings. Images on other servers are linked, never loaded by the page. */
export function SettingsPart({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { prompt } = task.settings;
  const revised = task.delivered?.revisedPrompt ?? null;
  return (
    <>
      <Part title={studio("prompt")}>
        {prompt === null ? (
          <p className="text-muted text-sm">{t("promptGoneNote")}</p>
        ) : (
          <PromptText text={prompt} what={studio("prompt")} />
        )}
      </Part>
      {revised === null ? null : (
        <Part title={t("revisedPrompt")}>
          <PromptText text={revised} what={t("revisedPrompt")} />
        </Part>
      )}
      <Part title={t("settings")}>
        <dl className="grid max-w-lg gap-1 text-sm">
          <SizeLines task={task} />
          <MoreLines task={task} />
          <FileLines task={task} />
        </dl>
      </Part>
    </>
  );
}

function PromptText({ text, what }: { text: string; what: string }): ReactNode {
  return (
    <div className="flex items-start gap-2">
      <p className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap text-sm">{text}</p>
      <CopyButton text={text} what={what} look="quiet" hasText={false} className="size-7 p-0" />
    </div>
  );
}

/** Size, length, sound and seed: as ordered. */
function SizeLines({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { settings, delivered } = task;
  const { resolution, ratio, seconds, generateAudio, width, height, quality, sizeName } = settings;
  const seed = settings.seed ?? delivered?.seed ?? null;
  const length = settings.isAutoLength ? "lengthAuto" : "seconds";
  return (
    <>
      {resolution ? <Line name={studio("resolution")}>{resolution}</Line> : null}
      {width && height ? (
        <Line name={t("sizeName")}>{sizeName ?? t("size", { width, height })}</Line>
      ) : null}
      {quality ? <Line name={studio("quality")}>{quality}</Line> : null}
      {ratio ? (
        <Line name={studio("ratio")}>
          {ratio === "adaptive" ? (delivered?.ratio ?? studio("adaptive")) : ratio}
        </Line>
      ) : null}
      {seconds ? <Line name={studio("duration")}>{t(length, { seconds })}</Line> : null}
      {task.family === "video" ? (
        <Line name={t("sound")}>
          {(delivered?.generateAudio ?? generateAudio) ? t("yes") : t("no")}
        </Line>
      ) : null}
      {seed === null ? null : <Line name={studio("seed")}>{seed}</Line>}
    </>
  );
}

/** What it was made from. */
function FileLines({ task: { settings } }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { pictures } = settings;
  /** Its place among those of its role. */
  const numberOf = (at: number) =>
    pictures.slice(0, at + 1).filter(({ role }) => role === pictures[at]?.role).length;
  const nameOf = {
    first_frame: () => studio("firstFrame"),
    last_frame: () => studio("lastFrame"),
    reference_image: (number: number) => t("reference", { number }),
    reference_video: (number: number) => t("referenceVideo", { number }),
    reference_audio: (number: number) => t("referenceAudio", { number }),
  };
  return pictures.map(({ role, url }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the files of an order never change their order
    <Line key={`${role}${at + 1}`} name={nameOf[role](numberOf(at))}>
      {url ?? <span className="font-sans">{t("pictureNotKept")}</span>}
    </Line>
  ));
}
