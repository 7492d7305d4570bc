"use client";

import { useFormatter, useTranslations } from "next-intl";
import { SelectField } from "@/components/forms/text-field";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { parseImageSize } from "@/lib/catalog/image-sizes";
import {
  hasTooMany,
  type ImageSettings,
  imageCounts,
  isSide,
  withRatio,
} from "@/lib/client/image-settings";
import { FoldRow } from "./fold-row";
import { PicturesField } from "./pictures-field";
import { SeedField } from "./seed-field";
import { ShapeChoice } from "./shape-choice";

interface FieldsProps {
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
}

/** What is set of an image besides its model and prompt. */
export function ImageFields({ settings, onChange }: FieldsProps) {
  const t = useTranslations("studio");
  const { model, quality, references, seed, count } = settings;
  const change = (part: Partial<ImageSettings>) => onChange({ ...settings, ...part });
  const max = model.referenceImagesMax;
  return (
    <>
      {model.sizes === null ? (
        <SizeFields settings={settings} onChange={onChange} />
      ) : (
        <ListedSizeField sizes={model.sizes} settings={settings} onChange={onChange} />
      )}
      {quality === null ? null : (
        <SelectField
          label={t("quality")}
          value={quality}
          onChange={({ target }) => change({ quality: target.value })}
        >
          {model.qualities.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      )}
      <div>
        <p className="mb-1.5 font-medium text-sm">{t("howMany")}</p>
        <Segmented
          label={t("howMany")}
          value={String(count)}
          onChange={(next) => change({ count: Number(next) })}
          options={imageCounts.map((each) => ({ value: String(each), label: String(each) }))}
        />
        {count > 1 ? (
          <p className="mt-1.5 text-muted text-sm">{t("howManyNote", { count })}</p>
        ) : null}
      </div>
      <div>
        {max > 0 ? (
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
        <SeedField value={seed} onChange={(next) => change({ seed: next })} />
      </div>
    </>
  );
}

/** For a model that makes only these. */
function ListedSizeField({
  sizes,
  settings,
  onChange,
}: FieldsProps & { sizes: readonly string[] }) {
  const t = useTranslations("studio");
  const { width, height } = settings;
  return (
    <SelectField
      label={t("size")}
      value={`${width}x${height}`}
      onChange={({ target }) => {
        const [across = width, down = height] = parseImageSize(target.value) ?? [];
        onChange({ ...settings, ratio: null, width: across, height: down });
      }}
    >
      {sizes.map((size) => (
        <option key={size} value={size}>
          {size.replace("x", " × ")}
        </option>
      ))}
    </SelectField>
  );
}

function SizeFields({ settings, onChange }: FieldsProps) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const { model, ratio, width, height } = settings;
  const ratios = Object.keys(model.ratioSizes);
  return (
    <div className="grid gap-2.5">
      <Segmented
        label={t("shape")}
        value={ratio === null ? "exact" : "ratio"}
        onChange={(shape) =>
          onChange(
            shape === "exact" ? { ...settings, ratio: null } : withRatio(settings, ratios[0] ?? ""),
          )
        }
        options={(["ratio", "exact"] as const).map((value) => ({ value, label: t(value) }))}
      />
      {ratio === null ? (
        <div className="grid grid-cols-2 gap-3">
          {(["width", "height"] as const).map((side) => (
            <SideField key={side} side={side} settings={settings} onChange={onChange} />
          ))}
        </div>
      ) : (
        <ShapeChoice
          label={t("ratio")}
          ratios={ratios}
          value={ratio}
          onChange={(next) => onChange(withRatio(settings, next))}
        />
      )}
      <p className="num text-muted text-sm">
        {t("pixels", { width, height, pixels: format.number(width * height) })}{" "}
        {hasTooMany(settings) ? t("tooMany") : null}
      </p>
    </div>
  );
}

function SideField({ side, settings, onChange }: FieldsProps & { side: "width" | "height" }) {
  const t = useTranslations("studio");
  const { sidePixelsMin: min, sidePixelsMax: max } = settings.model;
  const pixels = settings[side];
  return (
    <Field
      label={t(side)}
      error={isSide(settings.model, pixels) ? undefined : t("side", { min, max })}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          step={1}
          className="num"
          value={pixels}
          onChange={({ target }) =>
            onChange({
              ...settings,
              [side]: Math.min(99_999, Math.trunc(target.valueAsNumber || 0)),
            })
          }
        />
      )}
    </Field>
  );
}
