"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { NotifyButton } from "@/components/requests/notify-button";
import { useReadyText } from "@/components/requests/use-ready-text";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { firstModelOf } from "@/lib/catalog/models";
import {
  type ImageSettings,
  imageBody,
  imageSettingsOf,
  imageSettingsOfTask,
} from "@/lib/client/image-settings";
import { useReadyNotice } from "@/lib/client/ready-notice";
import { imageRequestSamples } from "@/lib/client/request-samples";
import { useTasks } from "@/lib/client/tasks";
import { AgainNote } from "./again-note";
import { AsCodeButton } from "./as-code-button";
import { Gallery } from "./gallery";
import { ImageForm } from "./image-form";
import { MakeFailure } from "./make-failure";
import { PlaygroundTabs } from "./playground-tabs";
import { useAgain } from "./use-again";
import { useImageOrders } from "./use-image-orders";
import { WaitingCard } from "./waiting-card";

const ofImages = { family: "image" } as const;

/** The image form and gallery. Several images may be in progress at once. */
export function ImageView({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const [settings, setSettings] = useState<ImageSettings>(() =>
    imageSettingsOf(firstModelOf("image")),
  );
  const query = useTasks(ofImages);
  const orders = useImageOrders(query.tasks ?? []);
  const again = useAgain((task) => setSettings((now) => imageSettingsOfTask(task) ?? now));
  useReadyNotice(query.tasks, useReadyText());
  const body = imageBody(settings);
  return (
    <>
      <PageHead title={t("imageTitle")} note={common("note")}>
        <div className="flex flex-wrap gap-2">
          <NotifyButton />
          <AsCodeButton samples={body && imageRequestSamples(baseUrl, body)} />
        </div>
      </PageHead>
      <PlaygroundTabs />
      <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <ImageForm
          settings={settings}
          onChange={setSettings}
          onSend={(sent) => orders.send(sent, settings)}
          note={<AgainNote {...again} />}
        />
        <Gallery
          family="image"
          query={query}
          onAgain={again.choose}
          hasOthers={orders.waiting.length + orders.refused.length > 0}
        >
          {orders.waiting.map(({ id, settings: sent }) => (
            <WaitingCard key={id} label={nameOf(t, sent)} prompt={sent.prompt} />
          ))}
          {orders.refused.map(({ id, settings: sent, error }) => (
            <Card
              key={id}
              aria-label={nameOf(t, sent)}
              className="grid min-w-0 content-start gap-3 p-3.5"
            >
              {error ? <MakeFailure error={error} /> : null}
              <p className="wrap-anywhere line-clamp-2 text-sm">{sent.prompt}</p>
              <div className="flex gap-2">
                <Button size="small" onClick={() => setSettings(sent)}>
                  {t("again")}
                </Button>
                <Button size="small" look="quiet" onClick={() => orders.dismiss(id)}>
                  {t("dismiss")}
                </Button>
              </div>
            </Card>
          ))}
        </Gallery>
      </div>
    </>
  );
}

const nameOf = (
  t: ReturnType<typeof useTranslations<"studio">>,
  { model, prompt }: ImageSettings,
) => t("imageOf", { model: model.id, prompt: prompt.slice(0, 80) });
