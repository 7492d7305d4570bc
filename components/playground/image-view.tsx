"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { showToast } from "@/components/ui/toast";
import { firstModelOf } from "@/lib/catalog/models";
import { chainHref, usesOf } from "@/lib/client/chain";
import {
  type ImageSettings,
  imageBody,
  imageSettingsOf,
  imageSettingsOfTask,
} from "@/lib/client/image-settings";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { imageForms } from "@/lib/client/request-samples";
import { useTasks } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { AgainNote } from "./again-note";
import { AsCodeButton } from "./as-code-button";
import { ImageForm } from "./image-form";
import { orderCards } from "./image-orders";
import { Lightbox } from "./lightbox";
import { Stage } from "./stage";
import { StageTask, type StageUse } from "./stage-task";
import { StudioFrame } from "./studio-frame";
import { useAgain } from "./use-again";
import { useImageOrders } from "./use-image-orders";
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

/** The image form and the results. Several images may be in progress at once. */
export function ImageView({ baseUrl, isSandbox }: { baseUrl: string; isSandbox: boolean }) {
  const t = useTranslations("studio");
  const offered = useOfferedOf("image");
  const [settings, setSettings] = useState<ImageSettings>(() =>
    imageSettingsOf(offered[0] ?? firstModelOf("image")),
  );
  const query = useTasks(ofImages);
  const tasks = query.tasks ?? [];
  const orders = useImageOrders(tasks);
  const stage = useStage(query);
  const again = useAgain((task) => setSettings((now) => imageSettingsOfTask(task, offered) ?? now));
  const uses = useUses(setSettings);
  useReadyNotice(query.tasks, useReadyText());
  const body = imageBody(settings);
  const shown = orders.batch ?? stage.shown;
  const count = orders.waiting.length + shown.length;
  return (
    <StudioFrame
      title={t("imageTitle")}
      sandbox={isSandbox ? "image" : null}
      actions={
        <>
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
