import { useFormatter, useTranslations } from "next-intl";
import { RangeField } from "@/components/forms/range-field";
import { SelectField } from "@/components/forms/text-field";
import { Segmented } from "@/components/ui/segmented";
import { secondsOfFrames } from "@/lib/catalog/video-sizes";
import {
  FRAMES_STEP,
  frameBounds,
  framesOf,
  lengthOf,
  lengthsOf,
  secondsOf,
  type VideoSettings,
} from "@/lib/client/video-settings";

export interface FieldsProps {
  settings: VideoSettings;
  change: (part: Partial<VideoSettings>) => void;
}

/** How long the video is: in seconds, and where the model offers it in frames or as it decides. */
export function LengthField({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const offered = lengthsOf(settings.model);
  const length = lengthOf(settings);
  return (
    <div className="grid gap-2">
      {offered.length > 1 ? (
        <Segmented
          label={t("lengthBy")}
          value={length}
          onChange={(next) => change({ length: next })}
          options={offered.map((value) => ({ value, label: t(`lengths.${value}`) }))}
        />
      ) : null}
      {length === "seconds" ? <SecondsField settings={settings} change={change} /> : null}
      {length === "frames" ? <FramesField settings={settings} change={change} /> : null}
      {length === "auto" ? (
        <p className="min-h-12 text-muted text-sm">
          {t("autoNote", { max: settings.model.durationSecondsMax })}
        </p>
      ) : null}
    </div>
  );
}

function SecondsField({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { durationSecondsMin: min, durationSecondsMax: max, durations } = settings.model;
  const seconds = secondsOf(settings);
  const chosen = settings.seconds;
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

function FramesField({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const frames = framesOf(settings);
  const seconds = format.number(secondsOfFrames(frames), { maximumFractionDigits: 2 });
  return (
    <RangeField
      label={t("lengths.frames")}
      {...frameBounds(settings.model)}
      step={FRAMES_STEP}
      value={frames}
      valueText={t("framesOf", { frames, seconds })}
      onChange={(next) => change({ frames: next })}
    />
  );
}
