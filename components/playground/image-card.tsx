"use client";

import { Download } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type MadeImage, ownPath } from "@/lib/client/studio";
import { CostLine } from "./cost-line";
import { type ImageSettings, tokensOf } from "./image-settings";
import { MakeFailure } from "./make-failure";
import { TimeLeft } from "./time-left";

interface ImageCardProps {
  settings: ImageSettings;
  made?: MadeImage;
  error?: Error;
  onAgain: () => void;
}

export function ImageCard({ settings, made, error, onAgain }: ImageCardProps) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const { model, prompt, width, height } = settings;
  const name = t("imageOf", { model: model.id, prompt: prompt.slice(0, 80) });
  return (
    <Card aria-label={name} aria-busy={!made && !error} className="grid min-w-0 content-start gap-3 p-4">
      <p className="flex flex-wrap gap-x-3 text-sm">
        <span className="font-medium">{model.id}</span>
        <span className="num text-muted">{made?.size ?? `${width}x${height}`}</span>
        <span className="num text-muted">{t("tokens", { tokens: format.number(tokensOf(settings)) })}</span>
      </p>
      {error ? <MakeFailure error={error} /> : null}
      {!made && !error ? (
        <div
          className="grid max-h-96 w-full place-content-center rounded-md bg-wash text-muted text-sm"
          style={{ aspectRatio: `${width} / ${height}` }}
        >
          <p role="status">{t("making")}</p>
        </div>
      ) : null}
      {made ? (
        <>
          {/* biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once */}
          <img
            src={ownPath(made.url)}
            alt={name}
            width={width}
            height={height}
            className="h-auto max-h-96 w-full rounded-md bg-wash object-contain"
          />
          <CostLine id={made.requestId} />
        </>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {made ? (
          <Button asChild look="go" size="small">
            <a href={ownPath(made.url)} download>
              <Download aria-hidden />
              {t("download")}
            </a>
          </Button>
        ) : null}
        <Button size="small" onClick={onAgain}>
          {t("again")}
        </Button>
        {made ? <TimeLeft address={made.url} /> : null}
      </div>
    </Card>
  );
}
