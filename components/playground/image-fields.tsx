import { useFormatter, useTranslations } from "next-intl";
import { SelectField } from "@/components/forms/text-field";
import { Field } from "@/components/ui/field";
import { Input, Options } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { parseImageSize, sizeText } from "@/lib/catalog/image-sizes";
import {
  hasTooMany,
  type ImageFieldsProps,
  type ImageSettings,
  isSide,
  sizeNameOf,
  withRatio,
} from "@/lib/client/image-settings";
import { CountField } from "./count-field";
import { FoldRow } from "./fold-row";
import { ImageMore } from "./image-more";
import { PicturesField } from "./pictures-field";
import { SeedField } from "./seed-field";
import { ShapeChoice } from "./shape-choice";

/** What is set of an image besides its model and prompt. */
export function ImageFields({ settings, onChange }: ImageFieldsProps) {
  const t = useTranslations("studio");
  const { model, quality, references, seed } = settings;
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
      <CountField settings={settings} onChange={onChange} />
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
        <ImageMore settings={settings} onChange={onChange} />
      </div>
    </>
  );
}

/** For a model that makes only these, and sizes that have a name. */
function ListedSizeField({
  sizes,
  settings,
  onChange,
}: ImageFieldsProps & { sizes: readonly string[] }) {
  const t = useTranslations("studio");
  const { width, height, model } = settings;
  return (
    <SelectField
      label={t("size")}
      value={sizeNameOf(settings) ?? `${width}x${height}`}
      onChange={({ target: { value } }) => {
        if (Object.hasOwn(model.options.sizeNames, value))
          return onChange({ ...settings, ratio: null, sizeName: value });
        const [across = width, down = height] = parseImageSize(value) ?? [];
        onChange({ ...settings, ratio: null, sizeName: null, width: across, height: down });
      }}
    >
      <Options of={[...Object.keys(model.options.sizeNames), ...sizes]} name={sizeText} />
    </SelectField>
  );
}

const shapes = ["ratio", "exact", "named"] as const;

function SizeFields({ settings, onChange }: ImageFieldsProps) {
  const t = useTranslations("studio");
  const { model, ratio } = settings;
  const names = Object.keys(model.options.sizeNames);
  const ratios = Object.keys(model.ratioSizes);
  const name = sizeNameOf(settings);
  const choose = (shape: (typeof shapes)[number]) => {
    if (shape === "ratio") return onChange(withRatio(settings, ratios[0] ?? ""));
    onChange({ ...settings, ratio: null, sizeName: shape === "named" ? (names[0] ?? null) : null });
  };
  return (
    <div className="grid gap-2.5">
      <Segmented
        label={t("shape")}
        value={name !== null ? "named" : ratio === null ? "exact" : "ratio"}
        onChange={choose}
        options={shapes
          .filter((each) => each !== "named" || names.length > 0)
          .map((value) => ({ value, label: t(value) }))}
      />
      {name !== null ? (
        <Segmented
          label={t("size")}
          value={name}
          onChange={(sizeName) => onChange({ ...settings, sizeName })}
          options={names.map((value) => ({ value, label: value }))}
        />
      ) : ratio === null ? (
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
      <PixelsNote settings={settings} />
    </div>
  );
}

/** The pixels by which the image is priced; of a size with a name, the most. */
function PixelsNote({ settings }: { settings: ImageSettings }) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const name = sizeNameOf(settings);
  const named = parseImageSize(settings.model.options.sizeNames[name ?? ""] ?? "");
  const [width, height] = named ?? [settings.width, settings.height];
  const pixels = format.number(width * height);
  return (
    <p className="num text-muted text-sm">
      {t(named ? "sizeUpTo" : "pixels", { width, height, pixels })}{" "}
      {!named && hasTooMany(settings) ? t("tooMany") : null}
    </p>
  );
}

function SideField({ side, settings, onChange }: ImageFieldsProps & { side: "width" | "height" }) {
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
