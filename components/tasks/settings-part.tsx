"use client";

import { useTranslations } from "next-intl";
import { Line, Part } from "@/components/requests/request-parts";
import { CopyButton } from "@/components/ui/copy-button";
import type { TaskView } from "@/lib/contract/tasks";

/** The task's settings. Images on other servers are linked, never loaded by the page. */
export function SettingsPart({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { prompt, resolution, ratio, seconds, hasAudio, width, height, quality, seed, pictures } =
    task.settings;
  return (
    <>
      <Part title={studio("prompt")}>
        {prompt === null ? (
          <p className="text-muted text-sm">{t("promptGoneNote")}</p>
        ) : (
          <div className="flex items-start gap-2">
            <p className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap text-sm">{prompt}</p>
            <CopyButton
              text={prompt}
              what={studio("prompt")}
              look="quiet"
              hasText={false}
              className="size-7 p-0"
            />
          </div>
        )}
      </Part>
      <Part title={t("settings")}>
        <dl className="grid max-w-lg gap-1 text-sm">
          {resolution ? <Line name={studio("resolution")}>{resolution}</Line> : null}
          {width && height ? (
            <Line name={t("sizeName")}>{t("size", { width, height })}</Line>
          ) : null}
          {quality ? <Line name={studio("quality")}>{quality}</Line> : null}
          {ratio ? <Line name={studio("ratio")}>{ratio}</Line> : null}
          {seconds ? <Line name={studio("duration")}>{t("seconds", { seconds })}</Line> : null}
          {task.family === "video" ? (
            <Line name={t("sound")}>{hasAudio ? t("yes") : t("no")}</Line>
          ) : null}
          {seed === null ? null : <Line name={studio("seed")}>{seed}</Line>}
          {pictures.map(({ role, url }, at) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: the images of an order never change their order
              key={`${role}${at + 1}`}
              name={
                role === "reference_image"
                  ? t("reference", { number: at + 1 })
                  : studio(role === "first_frame" ? "firstFrame" : "lastFrame")
              }
            >
              {url ?? <span className="font-sans">{t("pictureNotKept")}</span>}
            </Line>
          ))}
        </dl>
      </Part>
    </>
  );
}
