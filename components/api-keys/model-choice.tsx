import { useTranslations } from "next-intl";
import { useId } from "react";
import { useOffered } from "@/components/catalog/hidden-models";
import { FamilyTag } from "@/components/requests/family-tag";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";

interface ModelChoiceProps {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  models: readonly string[];
  onChange: (models: string[]) => void;
  error: string | undefined;
}

/** All models, or only the selected ones. */
export function ModelChoice({ isOpen, onOpen, models, onChange, error }: ModelChoiceProps) {
  const t = useTranslations("keys");
  const offered = useOffered();
  const errorId = useId();
  const toggle = (id: string) =>
    onChange(models.includes(id) ? models.filter((model) => model !== id) : [...models, id]);
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-sm">{t("models")}</p>
      <Segmented
        label={t("models")}
        value={isOpen ? "some" : "all"}
        options={[
          { value: "all", label: t("allModels") },
          { value: "some", label: t("someModels") },
        ]}
        onChange={(value) => {
          onOpen(value === "some");
          if (value === "all") onChange([]);
        }}
      />
      {isOpen ? (
        <fieldset aria-describedby={error && errorId} className="mt-1 grid gap-x-4 sm:grid-cols-2">
          <legend className="sr-only">{t("someModels")}</legend>
          {offered.map((model) => (
            <label key={model.id} className="flex items-center gap-2.5 py-1.25">
              <input
                type="checkbox"
                className="size-4 accent-(--ink)"
                checked={models.includes(model.id)}
                onChange={() => toggle(model.id)}
              />
              <FamilyTag family={model.family}>{model.id}</FamilyTag>
            </label>
          ))}
        </fieldset>
      ) : null}
      <FieldError id={errorId} text={error} />
    </div>
  );
}
