import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useOrderVideo, useQuote } from "@/lib/client/studio";
import {
  framesOf,
  lackOf,
  lengthOf,
  ratioOf,
  referencesOf,
  secondsOf,
  taskBody,
  type VideoSettings,
  withModel,
  withReferences,
} from "@/lib/client/video-settings";
import { DraftNote } from "./draft-note";
import { MakeFailure } from "./make-failure";
import { QuoteFoot } from "./quote-foot";
import { StudioForm } from "./studio-form";
import type { Extras } from "./tier-field";
import { VideoFields } from "./video-fields";
import { VideoModels } from "./video-models";

interface VideoFormProps {
  settings: VideoSettings;
  onChange: (settings: VideoSettings) => void;
  note: ReactNode;
  extras: Extras;
  /** The tasks that were made, one for each model. */
  onSent: (ids: readonly string[]) => void;
}

export function VideoForm({ settings, onChange, note, extras, onSent }: VideoFormProps) {
  const t = useTranslations("studio");
  const order = useOrderVideo();
  const { model, second, prompt, draftTask } = settings;
  const body = taskBody(settings);
  const other = second && taskBody(withModel(settings, second));
  const quotes = [useQuote("createVideoTask", body), useQuote("createVideoTask", other)];
  const change = (part: Partial<VideoSettings>) => onChange({ ...settings, ...part });
  const send = () => {
    if (!body) return;
    order.mutate([body, ...(other ? [other] : [])], { onSuccess: (ids) => onSent(ids) });
  };
  const chips = useChips(settings);
  return (
    <StudioForm
      label={t("newVideo")}
      prompt={prompt}
      onPrompt={(next) => change({ prompt: next })}
      promptInstead={
        draftTask === null ? null : (
          <DraftNote id={draftTask} onDrop={() => change({ draftTask: null })} />
        )
      }
      onPictures={(addresses) => onChange(withPictures(settings, addresses))}
      onSend={send}
      head={<VideoModels settings={settings} onChange={onChange} />}
      fields={<VideoFields settings={settings} change={change} extras={extras} />}
      chips={[second ? `${model.id} · ${second.id}` : model.id, ...chips]}
      foot={
        <QuoteFoot
          quotes={second ? quotes : quotes.slice(0, 1)}
          isReady={body !== null}
          lack={lackOf(settings) === "beside_sound" ? t("soundNote") : t("noQuote")}
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

/** The current values, in a few words each. */
function useChips(settings: VideoSettings): string[] {
  const t = useTranslations("studio");
  const { resolution, draftTask } = settings;
  if (draftTask !== null) return [resolution];
  const [ratio, length] = [ratioOf(settings), lengthOf(settings)];
  const lengthText = {
    seconds: t("seconds", { seconds: secondsOf(settings) }),
    auto: t("lengths.auto"),
    frames: `${framesOf(settings)} ${t("lengths.frames")}`,
  }[length];
  return [ratio === "adaptive" ? t("adaptive") : ratio, resolution, lengthText];
}

/** What was pasted or dropped: a reference where references are used already, else the first frame. */
function withPictures(settings: VideoSettings, addresses: readonly string[]): VideoSettings {
  if (referencesOf(settings).length > 0) return withReferences(settings, "image", addresses);
  return { ...settings, firstFrame: addresses.slice(0, 1) };
}
