"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { showToast } from "@/components/ui/toast";
import { chainHref, usesOf } from "@/lib/client/chain";
import {
  type ImageSettings,
  imageBody,
  imageSettingsOf,
  imageSettingsOfTask,
} from "@/lib/client/image-settings";
import { modelNamed } from "@/lib/client/model-named";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { imageForms } from "@/lib/client/request-samples";
import { useTasks } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { AgainNote } from "./again-note";
import { AsCodeButton } from "./as-code-button";
import { ImageForm } from "./image-form";
import { orderCards } from "./image-orders";
import { Lightbox } from "./lightbox";
import { MediaActions } from "./media-actions";
import { Stage } from "./stage";
import { StageTask, type StageUse } from "./stage-task";
import { StudioFrame } from "./studio-frame";
import { useAgain } from "./use-again";
import { useImageOrders } from "./use-image-orders";
import { useMediaSession } from "./use-media-session";
import { useStage } from "./use-stage";
import { Wall } from "./wall";

const ofImages = { family: "image" } as const;

/** What an image on the stage can be used for: in this form, and for a video. */
function useUses(
  change: (next: (settings: ImageSettings) => ImageSettings) => void,
): (task: TaskView) => StageUse[] {
  const t = useTranslations("studio");
  const router = useRouter();
  return (task) => [
    {
      label: t("useReference"),
      use({ picture }) {
        if (picture === null) return showToast(t("frameFailed"), "bad");
        change((now) => ({
          ...now,
          references: [...now.references, picture].slice(0, now.model.referenceImagesMax),
        }));
        showToast(t("referenceTaken"));
      },
    },
    ...usesOf(task).map(
      (use): StageUse => ({
        label: t(`chain.${use}`),
        use: ({ at }) => router.push(chainHref(task, use, at)),
      }),
    ),
  ];
}

/** The series of images, which gets those of each batch as they are listed. */
function useImageSession(
  batch: readonly TaskView[] | null,
  page: Parameters<typeof useMediaSession>[1],
) {
  const session = useMediaSession("image", page);
  const latest = useRef(session);
  latest.current = session;
  const made = (batch ?? []).toReversed();
  const ids = made.map(({ id }) => id).join();
  const listed = useRef(made);
  listed.current = made;
  useEffect(() => {
    if (ids === "") return;
    latest.current.add(
      listed.current.map(({ id, model, settings }) => ({
        id,
        model,
        prompt: settings.prompt ?? "",
      })),
    );
  }, [ids]);
  return session;
}

interface ImageViewProps {
  baseUrl: string;
  /** Any name of the model to begin with; null or another family's: the first of the list. */
  model: string | null;
  /** To begin with. */
  prompt: string | null;
  isSandbox: boolean;
}

/** The state of the page: the form, the orders, what is on the stage, and the session. */
function useImages({ model, prompt }: Pick<ImageViewProps, "model" | "prompt">) {
  const offered = useOfferedOf("image");
  const [settings, setSettings] = useState<ImageSettings>(() => ({
    ...imageSettingsOf(modelNamed("image", model, offered)),
    prompt: prompt ?? "",
  }));
  const query = useTasks(ofImages);
  const orders = useImageOrders(query.tasks ?? []);
  const stage = useStage(query);
  const again = useAgain((task) => setSettings((now) => imageSettingsOfTask(task, offered) ?? now));
  useReadyNotice(query.tasks, useReadyText());
  const session = useImageSession(orders.batch, {
    onShow(ids) {
      orders.endBatch();
      stage.showSession(ids);
    },
    onLast: again.chooseById,
    onNew() {
      orders.endBatch();
      setSettings((now) => ({ ...now, prompt: "" }));
    },
  });
  return { settings, setSettings, query, orders, stage, again, session };
}

/** The image form and the results. Several images may be in progress at once. */
export function ImageView({ baseUrl, model, prompt, isSandbox }: ImageViewProps) {
  const t = useTranslations("studio");
  const { settings, setSettings, query, orders, stage, again, session } = useImages({
    model,
    prompt,
  });
  const tasks = query.tasks ?? [];
  const uses = useUses(setSettings);
  const body = imageBody(settings);
  const shown = orders.batch ?? stage.shown;
  const count = orders.waiting.length + shown.length;
  return (
    <StudioFrame
      title={t("imageTitle")}
      sandbox={isSandbox ? "image" : null}
      actions={
        <>
          <MediaActions kind="image" session={session} />
          <NotifyButton />
          <AsCodeButton forms={body && imageForms(baseUrl, body)} />
        </>
      }
    >
      <ImageForm
        settings={settings}
        onChange={setSettings}
        onSend={(bodies) => orders.send(bodies, settings)}
        note={<AgainNote {...again} />}
      />
      <Stage
        family="image"
        query={query}
        onStarter={(prompt) => setSettings((now) => ({ ...now, prompt }))}
        shown={[
          ...orderCards(orders, count, setSettings),
          ...shown.map((task, index) => (
            <StageTask
              key={task.id}
              task={task}
              at={orders.waiting.length + index + 1}
              count={count}
              arrival={orders.batch ? "follows" : stage.arrival}
              onAgain={() => again.choose(task)}
              onEnlarge={() => stage.enlarge(task.id)}
              uses={uses(task)}
            />
          )),
        ]}
        wall={
          <Wall
            family="image"
            tasks={tasks}
            shown={shown.map(({ id }) => id)}
            onChoose={(task) => {
              orders.endBatch();
              stage.choose(task);
            }}
            hasOlder={query.hasNextPage}
          />
        }
      />
      <Lightbox tasks={stage.withFiles} id={stage.enlarged} onMove={stage.enlarge} />
    </StudioFrame>
  );
}
