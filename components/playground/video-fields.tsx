"use client";

import { useTranslations } from "next-intl";
import { RangeField } from "@/components/forms/range-field";
import { SelectField } from "@/components/forms/text-field";
import { Segmented } from "@/components/ui/segmented";
import { secondsOf, type VideoSettings, videoModels } from "@/lib/client/video-settings";
import { FoldRow } from "./fold-row";
import { PicturesField } from "./pictures-field";
import { SeedField } from "./seed-field";
import { ShapeChoice } from "./shape-choice";

interface FieldsProps {
  settings: VideoSettings;
  change: (part: Partial<VideoSettings>) => void;
}

/** Every resolution that any model has, so that the form keeps its shape when the model changes. */
const everyResolution = () => [...new Set(videoModels().flatMap((model) => model.resolutions))];

/** What is set of a video besides its model and prompt; what most leave as it is, is folded. */
export function VideoFields({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { model, seed } = settings;
  const resolutions = everyResolution();
  const missing = resolutions.filter((each) => !model.resolutions.includes(each));
  const why = t("notWith", { resolutions: missing.join(", ") });
  return (
    <>
      <ShapeChoice
        label={t("ratio")}
        ratios={model.ratios}
        value={settings.ratio}
        onChange={(ratio) => change({ ratio })}
      />
      <div>
        <p className="mb-1.5 flex justify-between gap-3 text-sm">
          <span className="font-medium">{t("resolution")}</span>
          {missing.length > 0 ? <span className="text-muted">{why}</span> : null}
        </p>
        <Segmented
          label={t("resolution")}
          value={settings.resolution}
          onChange={(resolution) => change({ resolution })}
          options={resolutions.map((value) => ({
            value,
            label: value,
            ...(missing.includes(value) ? { unavailable: why } : {}),
          }))}
        />
      </div>
      <DurationField settings={settings} change={change} />
      <div>
        <PictureFolds settings={settings} change={change} />
        <SeedField value={seed} onChange={(next) => change({ seed: next })} />
      </div>
    </>
  );
}

function DurationField({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { durationSecondsMin: min, durationSecondsMax: max } = settings.model;
  const seconds = secondsOf(settings);
  const chosen = settings.seconds;
  const { durations } = settings.model;
  if (durations !== null)
    return (
      <SelectField
        label={t("duration")}
        value={seconds}
        onChange={({ target }) => change({ seconds: Number(target.value) })}
      >
        {durations
          .toSorted((one, other) => one - other)
          .map((each) => (
            <option key={each} value={each}>
              {t("seconds", { seconds: each })}
            </option>
          ))}
      </SelectField>
    );
  return (
    <RangeField
      label={t("duration")}
      hint={
        seconds === chosen
          ? undefined
          : t(seconds > chosen ? "raised" : "lowered", { chosen, seconds })
      }
      min={min}
      max={max}
      value={seconds}
      valueText={t("durationOf", { seconds, min, max })}
      onChange={(next) => change({ seconds: next })}
    />
  );
}

function PictureFolds({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { model, firstFrame, lastFrame, references } = settings;
  const max = model.referenceImagesMax;
  return (
    <>
      {references.length === 0 ? (
        <FoldRow
          title={t("firstFrame")}
          value={firstFrame.length === 0 ? t("none") : t("imagesCount", { count: 1 })}
          isOpen={firstFrame.length > 0}
        >
          <PicturesField
            label={t("firstFrame")}
            max={1}
            value={firstFrame}
            onChange={(next) => change({ firstFrame: next })}
          />
        </FoldRow>
      ) : null}
      {model.hasLastFrame && firstFrame.length > 0 ? (
        <FoldRow
          title={t("lastFrame")}
          value={lastFrame.length === 0 ? t("none") : t("imagesCount", { count: 1 })}
          isOpen={lastFrame.length > 0}
        >
          <PicturesField
            label={t("lastFrame")}
            max={1}
            value={lastFrame}
            onChange={(next) => change({ lastFrame: next })}
          />
        </FoldRow>
      ) : null}
      {max > 0 && firstFrame.length === 0 ? (
        <FoldRow
          title={t("references")}
          value={t("ofMax", { count: references.length, max })}
          isOpen={references.length > 0}
        >
          <PicturesField
            label={t("references")}
            max={max}
            value={references}
            onChange={(next) => change({ references: next })}
          />
        </FoldRow>
      ) : null}
      {model.hasAudio ? (
        <label className="flex items-center justify-between gap-3 border-b py-2 pl-5.5 text-sm first:border-t">
          <span className="font-medium">{t("audio")}</span>
          <input
            type="checkbox"
            className="size-4 accent-(--ink)"
            checked={settings.hasAudio}
            onChange={({ target }) => change({ hasAudio: target.checked })}
          />
        </label>
      ) : null}
    </>
  );
}
