"use client";

import { Clapperboard } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RangeField } from "@/components/forms/range-field";
import { SelectField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import type { Ratio } from "@/lib/catalog/video-sizes";
import { useOrderVideo, useQuote } from "@/lib/client/studio";
import {
  secondsOf,
  taskBody,
  type VideoSettings,
  videoModels,
  withModel,
} from "@/lib/client/video-settings";
import { AddressesField } from "./addresses-field";
import { MakeFailure } from "./make-failure";
import { PromptField } from "./prompt-field";
import { QuoteLine } from "./quote-line";
import { SeedField } from "./seed-field";

interface VideoFormProps {
  settings: VideoSettings;
  onChange: (settings: VideoSettings) => void;
  note: ReactNode;
}

export function VideoForm({ settings, onChange, note }: VideoFormProps) {
  const t = useTranslations("studio");
  const body = taskBody(settings);
  const quoting = useQuote("createVideoTask", body);
  const order = useOrderVideo();
  const { model } = settings;
  const change = (part: Partial<VideoSettings>) => onChange({ ...settings, ...part });
  return (
    <Card aria-labelledby="video-form" className="self-start px-5 py-4.5">
      <h2 id="video-form" className="mb-3.5 text-lg">
        {t("newVideo")}
      </h2>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (body) order.mutate(body);
        }}
      >
        <SelectField
          label={t("model")}
          value={model.id}
          onChange={(event) =>
            onChange(
              withModel(settings, videoModels.find(({ id }) => id === event.target.value) ?? model),
            )
          }
        >
          {videoModels.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
        <PromptField value={settings.prompt} onChange={(prompt) => change({ prompt })} />
        <Segmented
          label={t("resolution")}
          value={settings.resolution}
          onChange={(resolution) => change({ resolution })}
          options={model.resolutions.map((value) => ({ value, label: value }))}
        />
        <ShapeFields settings={settings} change={change} />
        <PictureFields settings={settings} change={change} />
        {note}
        <QuoteLine {...quoting} />
        {order.error ? <MakeFailure error={order.error} /> : null}
        <Button
          type="submit"
          look="signal"
          size="large"
          isBusy={order.isPending}
          disabled={body === null || quoting.error !== null}
        >
          <Clapperboard aria-hidden />
          {t("makeVideo")}
        </Button>
      </form>
    </Card>
  );
}

type FieldsProps = { settings: VideoSettings; change: (part: Partial<VideoSettings>) => void };

function ShapeFields({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { model } = settings;
  const seconds = secondsOf(settings);
  const range = t("secondsRange", { min: model.durationSecondsMin, max: model.durationSecondsMax });
  return (
    <>
      <SelectField
        label={t("ratio")}
        value={settings.ratio}
        onChange={(event) => change({ ratio: event.target.value as Ratio })}
      >
        {model.ratios.map((ratio) => (
          <option key={ratio}>{ratio}</option>
        ))}
      </SelectField>
      <RangeField
        label={t("duration")}
        hint={
          seconds === settings.seconds
            ? range
            : t(seconds > settings.seconds ? "raised" : "lowered", {
                chosen: settings.seconds,
                seconds,
              })
        }
        min={model.durationSecondsMin}
        max={model.durationSecondsMax}
        value={seconds}
        valueText={t("seconds", { seconds })}
        onChange={(next) => change({ seconds: next })}
      />
      <SeedField value={settings.seed} onChange={(seed) => change({ seed })} />
    </>
  );
}

function PictureFields({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { model, firstFrame, references } = settings;
  return (
    <>
      {references.length === 0 ? (
        <AddressesField
          label={t("firstFrame")}
          max={1}
          value={firstFrame}
          onChange={(next) => change({ firstFrame: next })}
        />
      ) : null}
      {model.referenceImagesMax > 0 && firstFrame.length === 0 ? (
        <AddressesField
          label={t("references")}
          max={model.referenceImagesMax}
          value={references}
          onChange={(next) => change({ references: next })}
        />
      ) : null}
      {model.hasAudio ? (
        <label className="flex w-fit items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-(--ink)"
            checked={settings.hasAudio}
            onChange={({ target }) => change({ hasAudio: target.checked })}
          />
          {t("audio")}
        </label>
      ) : null}
    </>
  );
}
