"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PageHead } from "@/components/shell/page-head";
import { type MadeImage, useMakeImage } from "@/lib/client/studio";
import { ImageCard } from "./image-card";
import { ImageForm } from "./image-form";
import { type ImageSettings, imageModels, imageSettingsOf } from "./image-settings";
import { PlaygroundTabs } from "./playground-tabs";

interface Shown {
  id: number;
  settings: ImageSettings;
  made?: MadeImage;
  error?: Error;
}

/** Several may be made at once; they are kept while the page is open. */
export function ImageView() {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const [settings, setSettings] = useState<ImageSettings>(() => imageSettingsOf(imageModels[0] as ImageSettings["model"]));
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const nextId = useRef(1);
  const { mutateAsync } = useMakeImage();
  const send = (body: object) => {
    const id = nextId.current++;
    const change = (part: Partial<Shown>) => setShown((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
    setShown((all) => [{ id, settings }, ...all]);
    mutateAsync(body).then(
      (made) => change({ made }),
      (error: Error) => change({ error }),
    );
  };
  return (
    <>
      <PageHead title={t("imageTitle")} note={common("note")} />
      <PlaygroundTabs />
      <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <ImageForm settings={settings} onChange={setSettings} onSend={send} />
        <section aria-labelledby="images" className="min-w-0">
          <h2 id="images" className="mb-2.5 text-lg">
            {t("images")}
          </h2>
          {shown.length === 0 ? <p className="rounded-lg border border-dashed px-5 py-16 text-center text-muted">{t("noImages")}</p> : null}
          <div className="grid items-start gap-3.5 xl:grid-cols-2">
            {shown.map(({ id, settings: used, ...rest }) => (
              <ImageCard key={id} settings={used} {...rest} onAgain={() => setSettings(used)} />
            ))}
          </div>
        </section>
      </div>
    </>
  );
}
