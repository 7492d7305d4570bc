"use client";

import { Download } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useFailureText } from "@/components/shell/failure-text";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/request";
import { type MadeImage, ownPath } from "@/lib/client/studio";
import { CostLine } from "./cost-line";
import { type ImageSettings, tokensOf } from "./image-settings";
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
      {error ? <Failed error={error} /> : null}
      {!made && !error ? (
        <div
          className="grid max-h-96 w-full animate-pulse-soft place-content-center rounded-md bg-wash text-muted text-sm"
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

/** Their own text says that nothing was charged. */
const saysItself = new Set(["upstream_failed", "internal_error"]);

/** A refusal or a failure is not charged; when nothing answered, the usage log knows. */
function Failed({ error }: { error: Error }) {
  const t = useTranslations("studio");
  const failures = useTranslations("failures");
  const failureText = useFailureText();
  const { requestId = null, status = 0, code = "" } = error instanceof RequestError ? error : {};
  return (
    <Notice tone="bad">
      <p>{failureText(error)}</p>
      {status >= 400 && !saysItself.has(code) ? <p className="font-medium">{t("notCharged")}</p> : null}
      {requestId ? <p className="num wrap-anywhere text-muted">{failures("requestId", { requestId })}</p> : null}
    </Notice>
  );
}
