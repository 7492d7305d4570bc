import { useTranslations } from "next-intl";
import { SelectField, TextField } from "@/components/forms/text-field";
import type { ImageFieldsProps, ImageSettings } from "@/lib/client/image-settings";
import { CheckRow } from "./check-row";
import { FoldRow } from "./fold-row";

/** The file format, how closely the prompt is followed, and what else the model offers. */
export function ImageMore({ settings, onChange }: ImageFieldsProps) {
  const t = useTranslations("studio");
  const { more, model } = settings;
  const { formats, guidance, promptModes, hasWatermark } = model.options;
  const set = (part: ImageSettings["more"]) =>
    onChange({ ...settings, more: { ...more, ...part } });
  if (formats.length === 0 && guidance === null && promptModes.length === 0 && !hasWatermark)
    return null;
  return (
    <FoldRow title={t("moreSettings")} value={more.output_format ?? ""}>
      <div className="grid gap-3">
        {formats.length > 0 ? (
          <ChoiceField
            label={t("format")}
            options={formats}
            value={more.output_format ?? ""}
            onChange={(output_format) => set({ output_format })}
          />
        ) : null}
        {promptModes.length > 0 ? (
          <ChoiceField
            label={t("promptMode")}
            options={promptModes}
            value={more.prompt_mode ?? ""}
            onChange={(prompt_mode) => set({ prompt_mode })}
          />
        ) : null}
        {guidance === null ? null : (
          <TextField
            label={t("guidance")}
            placeholder={t("guidanceAuto")}
            type="number"
            isNumber
            {...guidance}
            step={0.1}
            value={more.guidance_scale ?? ""}
            onChange={({ target }) =>
              set({
                guidance_scale: Number.isNaN(target.valueAsNumber)
                  ? undefined
                  : target.valueAsNumber,
              })
            }
          />
        )}
        {hasWatermark ? (
          <div>
            <CheckRow
              label={t("watermark")}
              isOn={more.watermark === true}
              onChange={(watermark) => set({ watermark })}
            />
          </div>
        ) : null}
      </div>
    </FoldRow>
  );
}

interface ChoiceFieldProps {
  label: string;
  options: readonly string[];
  /** Empty for the model's own. */
  value: string;
  onChange: (value: string | undefined) => void;
}

function ChoiceField({ label, options, value, onChange }: ChoiceFieldProps) {
  const t = useTranslations("studio");
  return (
    <SelectField
      label={label}
      value={options.includes(value) ? value : ""}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{t("taskOfModel")}</option>
      {options.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}
