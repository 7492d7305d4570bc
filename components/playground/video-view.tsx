"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { showToast } from "@/components/ui/toast";
import { takePicture } from "@/lib/client/picture-file";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { videoForms } from "@/lib/client/request-samples";
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
import { Lightbox } from "./lightbox";
import { Stage } from "./stage";
import { StageTask } from "./stage-task";
import { StudioFrame } from "./studio-frame";
import { useAgain } from "./use-again";
import { useStage } from "./use-stage";
import { VideoForm } from "./video-form";
import { Wall } from "./wall";

const ofVideos = { family: "video" } as const;

interface VideoViewProps {
  baseUrl: string;
  /** Any name of the model to begin with; null or another family's: the first of the list. */
  model: string | null;
  isSandbox: boolean;
}

export function VideoView({ baseUrl, model, isSandbox }: VideoViewProps) {
  const t = useTranslations("studio");
  const offered = useOfferedOf("video");
  const [settings, setSettings] = useState<VideoSettings>(() =>
    settingsOf(videoModelNamed(model, offered)),
  );
  const change = (part: Partial<VideoSettings>) => setSettings((now) => ({ ...now, ...part }));
  useEffect(() => {
    const picture = takePicture();
    if (picture !== null) setSettings((now) => ({ ...now, firstFrame: [picture] }));
  }, []);
  const query = useTasks(ofVideos);
  const stage = useStage(query);
  const again = useAgain((task) => setSettings((now) => videoSettingsOf(task, offered) ?? now));
  useReadyNotice(query.tasks, useReadyText());
  const body = taskBody(settings);
  const frameFrom = (picture: string) => {
    change({ firstFrame: [picture], lastFrame: [], references: [] });
    showToast(t("frameTaken"));
  };
  return (
    <StudioFrame
      title={t("videoTitle")}
      sandbox={isSandbox ? "video" : null}
      actions={
        <>
          <NotifyButton />
          <AsCodeButton forms={body && videoForms(baseUrl, body)} />
        </>
      }
    >
      <VideoForm
        settings={settings}
        onChange={setSettings}
        onSent={stage.showSent}
        note={<AgainNote {...again} />}
      />
      <Stage
        family="video"
        query={query}
        onStarter={(prompt) => change({ prompt })}
        shown={stage.shown.map((task, index, { length }) => (
          <StageTask
            key={task.id}
            task={task}
            at={index + 1}
            count={length}
            arrival={index === 0 ? stage.arrival : null}
            onAgain={() => again.choose(task)}
            onEnlarge={() => stage.enlarge(task.id)}
            uses={[{ label: t("useFrame"), use: frameFrom }]}
          />
        ))}
        wall={
          <Wall
            family="video"
            tasks={query.tasks ?? []}
            shown={stage.ids}
            onChoose={stage.choose}
            hasOlder={query.hasNextPage}
          />
        }
      />
      <Lightbox tasks={stage.withFiles} id={stage.enlarged} onMove={stage.enlarge} />
    </StudioFrame>
  );
}
