"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PageHead } from "@/components/shell/page-head";
import { QueryFailure } from "@/components/shell/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { findModel } from "@/lib/catalog/models";
import type { Ratio, Resolution } from "@/lib/catalog/video-sizes";
import { useVideoTasks } from "@/lib/client/studio";
import type { VideoTaskView } from "@/lib/contract/video-task";
import { PlaygroundTabs } from "./playground-tabs";
import { VideoCard } from "./video-card";
import { VideoForm } from "./video-form";
import { settingsOf, type VideoSettings, videoModels } from "./video-settings";

/** A task's settings as far as the task itself tells them: prompt and pictures are known only to the visit that sent them. */
function settingsOfTask(task: VideoTaskView, sent: VideoSettings | undefined, now: VideoSettings): VideoSettings {
  if (sent) return sent;
  const model = findModel(task.model);
  if (model?.family !== "video") return now;
  return {
    ...settingsOf(model),
    prompt: now.prompt,
    resolution: task.resolution as Resolution,
    ratio: task.ratio as Ratio,
    seconds: task.duration,
    hasAudio: task.generate_audio,
    seed: task.seed ?? null,
  };
}

export function VideoView() {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const [settings, setSettings] = useState<VideoSettings>(() => settingsOf(videoModels[0] as VideoSettings["model"]));
  const sent = useRef(new Map<string, VideoSettings>());
  const { data, error, refetch } = useVideoTasks();
  return (
    <>
      <PageHead title={t("videoTitle")} note={common("note")} />
      <PlaygroundTabs />
      <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <VideoForm settings={settings} onChange={setSettings} onOrdered={(id, ordered) => sent.current.set(id, ordered)} />
        <section aria-labelledby="videos" className="min-w-0">
          <h2 id="videos" className="mb-2.5 text-lg">
            {t("videos")}
          </h2>
          {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
          {!error && !data ? <Skeleton className="h-64 w-full" /> : null}
          {data?.items.length === 0 ? (
            <p className="rounded-lg border border-dashed px-5 py-16 text-center text-muted">{t("noVideos")}</p>
          ) : null}
          <div className="grid items-start gap-3.5 xl:grid-cols-2">
            {data?.items.map((task) => (
              <VideoCard
                key={task.id}
                task={task}
                onAgain={() => setSettings((now) => settingsOfTask(task, sent.current.get(task.id), now))}
              />
            ))}
          </div>
        </section>
      </div>
    </>
  );
}
