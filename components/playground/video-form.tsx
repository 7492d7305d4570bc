"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useOrderVideo, useQuote } from "@/lib/client/studio";
import { secondsOf, taskBody, type VideoSettings, withModel } from "@/lib/client/video-settings";
import { MakeFailure } from "./make-failure";
import { QuoteFoot } from "./quote-foot";
import { StudioForm } from "./studio-form";
import { VideoFields } from "./video-fields";
import { VideoModels } from "./video-models";

interface VideoFormProps {
  settings: VideoSettings;
  onChange: (settings: VideoSettings) => void;
  note: ReactNode;
  /** The tasks that were made, one for each model. */
  onSent: (ids: readonly string[]) => void;
}

export function VideoForm({ settings, onChange, note, onSent }: VideoFormProps) {
  const t = useTranslations("studio");
  const order = useOrderVideo();
  const { model, second, resolution, ratio, prompt } = settings;
  const body = taskBody(settings);
  const other = second && taskBody(withModel(settings, second));
  const quotes = [useQuote("createVideoTask", body), useQuote("createVideoTask", other)];
  const change = (part: Partial<VideoSettings>) => onChange({ ...settings, ...part });
  const send = () => {
    if (!body) return;
    order.mutate([body, ...(other ? [other] : [])], { onSuccess: (ids) => onSent(ids) });
  };
  const seconds = t("seconds", { seconds: secondsOf(settings) });
  return (
    <StudioForm
      label={t("newVideo")}
      family="video"
      prompt={prompt}
      onPrompt={(next) => change({ prompt: next })}
      onPictures={(addresses) => onChange(withPictures(settings, addresses))}
      onSend={send}
      head={<VideoModels settings={settings} onChange={onChange} />}
      fields={<VideoFields settings={settings} change={change} />}
      chips={[second ? `${model.id} · ${second.id}` : model.id, ratio, resolution, seconds]}
      foot={
        <QuoteFoot
          quotes={second ? quotes : quotes.slice(0, 1)}
          isReady={body !== null}
          isBusy={order.isPending}
          go={t(second ? "goTwo" : "makeVideo")}
        >
          {note}
          {order.error ? <MakeFailure error={order.error} /> : null}
        </QuoteFoot>
      }
    />
  );
}

/** What was pasted or dropped: a reference where references are used already, else the first frame. */
function withPictures(settings: VideoSettings, addresses: readonly string[]): VideoSettings {
  const { model, references } = settings;
  if (references.length === 0) return { ...settings, firstFrame: addresses.slice(0, 1) };
  const all = [...references, ...addresses].slice(0, model.referenceImagesMax);
  return { ...settings, references: all };
}
