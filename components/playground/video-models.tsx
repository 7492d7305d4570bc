import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { Button } from "@/components/ui/button";
import { useDurationText } from "@/components/ui/duration-text";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/input";
import type { VideoModel } from "@/lib/catalog/models";
import { useTypicalSeconds } from "@/lib/client/tasks";
import { type VideoSettings, withModel } from "@/lib/client/video-settings";

interface VideoModelsProps {
  settings: VideoSettings;
  onChange: (settings: VideoSettings) => void;
}

/** The model, and on wish a second one that gets the same prompt. */
export function VideoModels({ settings, onChange }: VideoModelsProps) {
  const t = useTranslations("studio");
  const { model, second } = settings;
  const offered = useOfferedOf("video");
  const others = offered.filter(({ id }) => id !== model.id);
  const compare = (next: VideoModel | null) => onChange({ ...settings, second: next });
  return (
    <>
      <ModelSelect
        label={t("model")}
        models={offered}
        value={model}
        onChange={(next) => onChange(withModel(settings, next))}
      />
      {second ? (
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <ModelSelect
              label={t("compareWith")}
              models={others}
              value={second}
              onChange={compare}
            />
          </div>
          <Button
            className="h-10"
            aria-label={t("stopCompare")}
            title={t("stopCompare")}
            onClick={() => compare(null)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ) : (
        <button
          type="button"
          onClick={() => compare(others[0] ?? null)}
          className="flex h-7.5 items-center gap-2 rounded-md border border-control border-dashed px-2.5 text-muted text-sm hover:text-ink"
        >
          <Plus aria-hidden className="size-3.5" />
          {t("compare")}
        </button>
      )}
    </>
  );
}

interface ModelSelectProps {
  label: string;
  models: readonly VideoModel[];
  value: VideoModel;
  onChange: (model: VideoModel) => void;
}

function ModelSelect({ label, models, value, onChange }: ModelSelectProps) {
  const t = useTranslations("studio");
  const durationText = useDurationText();
  const typical = useTypicalSeconds(value.id);
  return (
    <Field
      label={label}
      aside={typical === null ? null : t("usually", { time: durationText(typical * 1000) })}
    >
      {(control) => (
        <Select
          {...control}
          value={value.id}
          onChange={({ target }) => onChange(models.find(({ id }) => id === target.value) ?? value)}
        >
          {models.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}
