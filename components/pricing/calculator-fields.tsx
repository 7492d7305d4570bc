import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { RangeField } from "@/components/forms/range-field";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { imageTokens, makesSize, parseImageSize, sizeText } from "@/lib/catalog/image-sizes";
import type { ImageModel, VideoModel } from "@/lib/catalog/models";
import type { Ratio, Resolution } from "@/lib/catalog/video-sizes";
import { TOKENS_MAX } from "@/lib/contract/limits";
import type { TokenUsage } from "@/lib/pricing/price";
import { imageUsage, TYPICAL_TEXT_TOKENS, videoUsage } from "@/lib/pricing/typical";

/** Null while the fields do not describe a valid request. */
type OnUsage = (usage: TokenUsage | null) => void;

const resolutions: readonly Resolution[] = ["480p", "720p", "1080p"];

function wholeNumber(text: string): number | null {
  const trimmed = text.trim().replaceAll(",", "");
  const value = Number(trimmed);
  return /^\d+$/.test(trimmed) && value <= TOKENS_MAX ? value : null;
}

export function TextFields({ onUsage }: { onUsage: OnUsage }) {
  const t = useTranslations("calculator");
  const [typed, setTyped] = useState({
    input: String(TYPICAL_TEXT_TOKENS),
    output: String(TYPICAL_TEXT_TOKENS),
  });
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    const inputTokens = wholeNumber(next.input);
    const outputTokens = wholeNumber(next.output);
    onUsage(inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens });
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      {(["input", "output"] as const).map((side) => (
        <TextField
          key={side}
          label={t(`${side}Tokens`)}
          error={wholeNumber(typed[side]) === null ? t("wholeNumber") : undefined}
          isNumber
          inputMode="numeric"
          value={typed[side]}
          onChange={(event) => change({ [side]: event.target.value })}
        />
      ))}
    </div>
  );
}

interface MediaFieldsProps<Media> {
  model: Media;
  /** Whether the price counts tokens, so that their number is shown. */
  hasTokens: boolean;
  onUsage: OnUsage;
}

export function VideoFields({ model, hasTokens, onUsage }: MediaFieldsProps<VideoModel>) {
  const t = useTranslations("calculator");
  const format = useFormatter();
  const [chosen, setChosen] = useState({
    resolution: model.resolutionDefault,
    ratio: model.ratioDefault,
    seconds: model.durationSecondsDefault,
  });
  const change = (part: Partial<typeof chosen>) => {
    const next = { ...chosen, ...part };
    setChosen(next);
    onUsage(videoUsage(model, next.resolution, next.ratio, next.seconds));
  };
  const tokens = videoUsage(model, chosen.resolution, chosen.ratio, chosen.seconds).outputTokens;
  return (
    <>
      <Segmented
        label={t("resolution")}
        value={chosen.resolution}
        onChange={(resolution) => change({ resolution })}
        options={resolutions.map((value) =>
          model.resolutions.includes(value)
            ? { value, label: value }
            : { value, label: value, unavailable: t("notOffered", { model: model.id }) },
        )}
      />
      <SelectField
        label={t("ratio")}
        value={chosen.ratio}
        onChange={(event) => change({ ratio: event.target.value as Ratio })}
      >
        {model.ratios.map((ratio) => (
          <option key={ratio}>{ratio}</option>
        ))}
      </SelectField>
      <DurationField
        model={model}
        tokens={hasTokens ? format.number(tokens) : null}
        value={chosen.seconds}
        onChange={(seconds) => change({ seconds })}
      />
    </>
  );
}

interface DurationFieldProps {
  model: VideoModel;
  /** Null where tokens are not counted. */
  tokens: string | null;
  value: number;
  onChange: (seconds: number) => void;
}

/** A length of the model's list, or any between its bounds. */
function DurationField({ model, tokens, value, onChange }: DurationFieldProps) {
  const t = useTranslations("calculator");
  const { durations, durationSecondsMin: min, durationSecondsMax: max } = model;
  if (durations === null)
    return (
      <RangeField
        label={t("duration")}
        hint={tokens === null ? t("lengths", { min, max }) : t("videoTokens", { tokens, min, max })}
        min={min}
        max={max}
        value={value}
        valueText={t("seconds", { seconds: value })}
        onChange={onChange}
      />
    );
  return (
    <SelectField
      label={t("duration")}
      hint={tokens === null ? undefined : t("imageTokens", { tokens })}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {durations
        .toSorted((one, other) => one - other)
        .map((seconds) => (
          <option key={seconds} value={seconds}>
            {t("seconds", { seconds })}
          </option>
        ))}
    </SelectField>
  );
}

export function ImageFields({ model, hasTokens, onUsage }: MediaFieldsProps<ImageModel>) {
  const t = useTranslations("calculator");
  const format = useFormatter();
  const [chosen, setChosen] = useState({ size: model.sizeDefault, quality: model.qualityDefault });
  const { size, quality } = chosen;
  const [width = 0, height = 0] = parseImageSize(size) ?? [];
  const change = (part: Partial<typeof chosen>) => {
    const next = { ...chosen, ...part };
    setChosen(next);
    onUsage(usageOf(model, next.size, next.quality));
  };
  return (
    <>
      {model.sizes === null ? (
        <SizeFields model={model} size={size} onChange={(next) => change({ size: next })} />
      ) : (
        <SelectField
          label={t("size")}
          value={size}
          onChange={(event) => change({ size: event.target.value })}
        >
          <Options of={model.sizes} name={sizeText} />
        </SelectField>
      )}
      {quality === null ? null : (
        <SelectField
          label={t("quality")}
          value={quality}
          onChange={(event) => change({ quality: event.target.value })}
        >
          {model.qualities.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      )}
      {hasTokens ? (
        <p className="-mt-2 text-muted text-sm">
          {t("imageTokens", { tokens: format.number(imageTokens(width, height)) })}
        </p>
      ) : null}
    </>
  );
}

const isWithin = (model: ImageModel, side: number) =>
  side >= model.sidePixelsMin && side <= model.sidePixelsMax;

/** Null for a size that the model does not make. */
function usageOf(model: ImageModel, size: string, quality: string | null): TokenUsage | null {
  const sides = parseImageSize(size);
  return sides && makesSize(model, sides) ? imageUsage(model, sides, quality) : null;
}

interface SizeFieldsProps {
  model: ImageModel;
  size: string;
  onChange: (size: string) => void;
}

function SizeFields({ model, size, onChange }: SizeFieldsProps) {
  const t = useTranslations("calculator");
  const [width = 0, height = 0] = parseImageSize(size) ?? [];
  const ratio = Object.entries(model.ratioSizes).find(([, value]) => value === size)?.[0];
  return (
    <>
      <SelectField
        label={t("ratio")}
        value={ratio ?? ""}
        onChange={(event) => onChange(model.ratioSizes[event.target.value] ?? size)}
      >
        {ratio ? null : <option value="">{t("ownSize")}</option>}
        {Object.keys(model.ratioSizes).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-3">
        <SideField
          name={t("width")}
          value={width}
          isWrong={!isWithin(model, width)}
          model={model}
          onChange={(value) => onChange(`${value}x${height}`)}
        />
        <SideField
          name={t("height")}
          value={height}
          isWrong={!isWithin(model, height)}
          model={model}
          onChange={(value) => onChange(`${width}x${value}`)}
        />
      </div>
    </>
  );
}

interface SideFieldProps {
  name: string;
  value: number;
  isWrong: boolean;
  model: ImageModel;
  onChange: (pixels: number) => void;
}

function SideField({ name, value, isWrong, model, onChange }: SideFieldProps) {
  const t = useTranslations("calculator");
  return (
    <TextField
      label={name}
      error={
        isWrong ? t("side", { min: model.sidePixelsMin, max: model.sidePixelsMax }) : undefined
      }
      isNumber
      inputMode="numeric"
      value={value}
      onChange={(event) => onChange(Math.min(99_999, wholeNumber(event.target.value) ?? 0))}
    />
  );
}
