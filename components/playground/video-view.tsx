"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { showToast } from "@/components/ui/toast";
import type { VideoModel } from "@/lib/catalog/models";
import { usesOf } from "@/lib/client/chain";
import { modelNamed } from "@/lib/client/model-named";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { videoForms } from "@/lib/client/request-samples";
import { videoSettingsOf } from "@/lib/client/stored-video";
import { useTasks } from "@/lib/client/tasks";
import { settingsOf, taskBody, type VideoSettings } from "@/lib/client/video-settings";
import type { TaskView } from "@/lib/contract/tasks";
import { AgainNote } from "./again-note";
import { AsCodeButton } from "./as-code-button";
import { Lightbox } from "./lightbox";
import { MediaActions } from "./media-actions";
import { Stage } from "./stage";
import { StageTask, type StageUse } from "./stage-task";
import { StudioFrame } from "./studio-frame";
import type { Extras } from "./tier-field";
import { useAgain } from "./use-again";
import { useChain, withFirstFrame, withReference } from "./use-chain";
import { useMediaSession } from "./use-media-session";
import { useStage } from "./use-stage";
import { VideoForm } from "./video-form";
import { Wall } from "./wall";

const ofVideos = { family: "video" } as const;

interface VideoViewProps {
  baseUrl: string;
  /** Any name of the model to begin with; null or another family's: the first of the list. */
  model: string | null;
  /** To begin with. */
  prompt: string | null;
  isSandbox: boolean;
  extras: Extras;
}

/** What a video on the stage can be used for. */
function useUses(
  settings: VideoSettings,
  setSettings: (next: (now: VideoSettings) => VideoSettings) => void,
): (task: TaskView) => StageUse[] {
  const t = useTranslations("studio");
  const offered = useOfferedOf("video");
  const chain = useChain(settings, setSettings, offered);
  const take =
    (apply: (picture: string) => void): StageUse["use"] =>
    (shown) => {
      if (shown.picture === null) showToast(t("frameFailed"), "bad");
      else apply(shown.picture);
    };
  const asFrame = take((picture) => {
    setSettings((now) => withFirstFrame(now, picture));
    showToast(t("frameTaken"));
  });
  const asReference = take((picture) => {
    if (withReference(settings, picture, offered) === null)
      return showToast(t("noReferences"), "bad");
    setSettings((now) => withReference(now, picture, offered) ?? now);
    showToast(t("referenceTaken"));
  });
  return (task) => [
    ...usesOf(task).map((use) => ({
      label: t(`chain.${use}`),
      use: () => void chain(task, use),
    })),
    { label: t("useFrame"), use: asFrame },
    { label: t("useReference"), use: asReference },
  ];
}

const settingsAtFirst = (
  model: string | null,
  prompt: string | null,
  offered: readonly VideoModel[],
): VideoSettings => ({
  ...settingsOf(modelNamed("video", model, offered)),
  prompt: prompt ?? "",
});

/** What was ordered of the form: with a second model there are two. */
const ordersOf = ({ model, second, prompt }: VideoSettings, ids: readonly string[]) =>
  ids.map((id, at) => ({ id, prompt, model: (at === 0 ? model : (second ?? model)).id }));

export function VideoView({ baseUrl, model, prompt, isSandbox, extras }: VideoViewProps) {
  const t = useTranslations("studio");
  const offered = useOfferedOf("video");
  const [settings, setSettings] = useState(() => settingsAtFirst(model, prompt, offered));
  const change = (part: Partial<VideoSettings>) => setSettings((now) => ({ ...now, ...part }));
  const query = useTasks(ofVideos);
  const stage = useStage(query);
  const again = useAgain((task) => setSettings((now) => videoSettingsOf(task, offered) ?? now));
  useReadyNotice(query.tasks, useReadyText());
  const session = useMediaSession("video", {
    onShow: stage.showSession,
    onLast: again.chooseById,
    onNew: () => change({ prompt: "" }),
  });
  const sent = (ids: readonly string[]) => {
    stage.showSent(ids);
    session.add(ordersOf(settings, ids));
  };
  const body = taskBody(settings);
  const usesOfTask = useUses(settings, setSettings);
  return (
    <StudioFrame
      title={t("videoTitle")}
      sandbox={isSandbox ? "video" : null}
      actions={
        <>
          <MediaActions kind="video" session={session} />
          <NotifyButton />
          <AsCodeButton forms={body && videoForms(baseUrl, body)} />
        </>
      }
    >
      <VideoForm
        settings={settings}
        onChange={setSettings}
        onSent={sent}
        note={<AgainNote {...again} />}
        extras={extras}
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
            uses={usesOfTask(task)}
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
