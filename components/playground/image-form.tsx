"use client";

import { ImagePlus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SelectField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input, Select } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import {
  hasTooMany,
  type ImageSettings,
  imageBody,
  imageModels,
  isSide,
  withRatio,
} from "@/lib/client/image-settings";
import { useQuote } from "@/lib/client/studio";
import { AddressesField } from "./addresses-field";
import { PromptField } from "./prompt-field";
import { QuoteLine } from "./quote-line";
import { SeedField } from "./seed-field";

interface ImageFormProps {
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
  onSend: (body: object) => void;
  note: ReactNode;
}

export function ImageForm({ settings, onChange, onSend, note }: ImageFormProps) {
  const t = useTranslations("studio");
  const body = imageBody(settings);
  const quoting = useQuote("createImage", body);
  const { model } = settings;
  const change = (part: Partial<ImageSettings>) => onChange({ ...settings, ...part });
  return (
    <Card aria-labelledby="image-form" className="self-start px-5 py-4.5">
      <h2 id="image-form" className="mb-3.5 text-lg">
        {t("newImage")}
      </h2>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (body) onSend(body);
        }}
      >
        <SelectField
          label={t("model")}
          value={model.id}
          onChange={(event) =>
            change({ model: imageModels.find(({ id }) => id === event.target.value) ?? model })
          }
        >
          {imageModels.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
        <PromptField value={settings.prompt} onChange={(prompt) => change({ prompt })} />
        <SizeFields settings={settings} onChange={onChange} />
        <AddressesField
          label={t("references")}
          max={model.referenceImagesMax}
          value={settings.references}
          onChange={(references) => change({ references })}
        />
        <SeedField value={settings.seed} onChange={(seed) => change({ seed })} />
        {note}
        <QuoteLine {...quoting} />
        <Button
          type="submit"
          look="signal"
          size="large"
          disabled={body === null || quoting.error !== null}
        >
          <ImagePlus aria-hidden />
          {t("makeImage")}
        </Button>
        <p className="text-muted text-sm">{t("onePerCall")}</p>
      </form>
    </Card>
  );
}

function SizeFields({
  settings,
  onChange,
}: {
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
}) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const { model, ratio, width, height } = settings;
  const ratios = Object.keys(model.ratioSizes);
  return (
    <>
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
        <Field label={t("ratio")}>
          {(control) => (
            <Select
              {...control}
              value={ratio}
              onChange={(event) => onChange(withRatio(settings, event.target.value))}
            >
              {ratios.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <p className="num -mt-2 text-muted text-sm">
        {t("pixels", { width, height, pixels: format.number(width * height) })}{" "}
        {hasTooMany(settings) ? t("tooMany") : null}
      </p>
    </>
  );
}

interface SideFieldProps {
  side: "width" | "height";
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
}

function SideField({ side, settings, onChange }: SideFieldProps) {
  const t = useTranslations("studio");
  const { model } = settings;
  return (
    <Field
      label={t(side)}
      error={
        isSide(model, settings[side])
          ? undefined
          : t("side", { min: model.sidePixelsMin, max: model.sidePixelsMax })
      }
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={model.sidePixelsMin}
          max={model.sidePixelsMax}
          step={1}
          className="num"
          value={settings[side]}
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
