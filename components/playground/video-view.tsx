"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { PageHead } from "@/components/ui/page-head";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { videoRequestSamples } from "@/lib/client/request-samples";
import { useTasks } from "@/lib/client/tasks";
import {
  settingsOf,
  taskBody,
  type VideoSettings,
  videoModelNamed,
  videoSettingsOf,
} from "@/lib/client/video-settings";
import { AgainNote } from "./again-note";
import { AsCodeButton } from "./as-code-button";
import { Gallery } from "./gallery";
import { PlaygroundTabs } from "./playground-tabs";
import { useAgain } from "./use-again";
import { VideoForm } from "./video-form";

const ofVideos = { family: "video" } as const;

/** `model`: any name of the initial model. The first video model when null or of another family. */
export function VideoView({ baseUrl, model }: { baseUrl: string; model: string | null }) {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const [settings, setSettings] = useState<VideoSettings>(() => settingsOf(videoModelNamed(model)));
  const query = useTasks(ofVideos);
  const again = useAgain((task) => setSettings((now) => videoSettingsOf(task) ?? now));
  useReadyNotice(query.tasks, useReadyText());
  const body = taskBody(settings);
  return (
    <>
      <PageHead title={t("videoTitle")} note={common("note")}>
        <div className="flex flex-wrap gap-2">
          <NotifyButton />
          <AsCodeButton samples={body && videoRequestSamples(baseUrl, body)} />
        </div>
      </PageHead>
      <PlaygroundTabs />
      <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <VideoForm settings={settings} onChange={setSettings} note={<AgainNote {...again} />} />
        <Gallery family="video" query={query} onAgain={again.choose} />
      </div>
    </>
  );
}
