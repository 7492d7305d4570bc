"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFailureText } from "@/components/shell/failure-text";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { useReasonText } from "@/components/usage/reason-text";
import { ownPath, useDropVideo } from "@/lib/client/studio";
import type { VideoTaskView } from "@/lib/contract/video-task";
import { CostLine } from "./cost-line";
import { TimeLeft } from "./time-left";

export function VideoCard({ task, onAgain }: { task: VideoTaskView; onAgain: () => void }) {
  const t = useTranslations("studio");
  const failureText = useFailureText();
  const drop = useDropVideo();
  const isOpen = task.status === "queued" || task.status === "running";
  const at = new Date(task.created_at * 1000).toISOString();
  const address = task.content?.video_url;
  const facts = { resolution: task.resolution, ratio: task.ratio, seconds: task.duration };
  return (
    <Card aria-label={t("videoOf", { model: task.model, id: task.id })} className="grid min-w-0 content-start gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Pill tone={isOpen ? "held" : task.status === "succeeded" ? "ok" : "plain"}>{t(task.status)}</Pill>
        <span className="font-medium">{task.model}</span>
        <span className="num text-muted">{t("videoFacts", facts)}</span>
        <span className="ml-auto text-muted">
          <RelativeTime at={at} />
        </span>
      </div>
      <Picture task={task} />
      <CostLine key={isOpen ? "open" : "ended"} id={task.id} />
      {drop.error ? (
        <p role="alert" className="text-bad text-sm">
          {failureText(drop.error)}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {address ? (
          <Button asChild look="go" size="small">
            <a href={ownPath(address)} download>
              <Download aria-hidden />
              {t("download")}
            </a>
          </Button>
        ) : null}
        <Button size="small" onClick={onAgain}>
          {t("again")}
        </Button>
        {task.status === "queued" ? (
          <Button size="small" look="quiet" isBusy={drop.isPending} onClick={() => drop.mutate(task.id)}>
            {t("cancel")}
          </Button>
        ) : null}
        {address ? <TimeLeft address={address} /> : null}
      </div>
    </Card>
  );
}

function Picture({ task }: { task: VideoTaskView }) {
  const t = useTranslations("studio");
  const reasonText = useReasonText();
  const address = task.content?.video_url;
  if (address) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the model makes no captions
      <video
        controls
        playsInline
        preload="metadata"
        aria-label={t("videoOf", { model: task.model, id: task.id })}
        src={ownPath(address)}
        className="aspect-video w-full rounded-md bg-black"
      />
    );
  }
  if (task.status === "queued" || task.status === "running") {
    return (
      <div className="grid aspect-video w-full place-content-center rounded-md bg-wash px-4 text-center text-muted text-sm">
        <p role="status">{t(task.status)}</p>
        <p>{t("usually")}</p>
      </div>
    );
  }
  return (
    <div className="rounded-md bg-wash px-4 py-3 text-sm">
      <p>{task.error ? reasonText(task.error.code) : t("linkEnded")}</p>
      {task.error ? <p className="font-medium">{t("notCharged")}</p> : null}
    </div>
  );
}
