import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { knownModels } from "@/lib/catalog/models";
import { INCIDENT_MODELS_MAX } from "@/lib/contract/limits";

interface ConcernedModelsProps {
  models: readonly string[];
  onChange: (models: string[]) => void;
}

/** Which models an incident concerns; none stands for the whole service. */
export function ConcernedModels({ models, onChange }: ConcernedModelsProps) {
  const t = useTranslations("operator.incidents");
  const isFull = models.length >= INCIDENT_MODELS_MAX;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 font-medium text-sm">
        {t("models")} <span className="font-normal text-muted">{t("modelsHint")}</span>
      </legend>
      <div className="grid max-h-60 gap-x-4 overflow-y-auto sm:grid-cols-2">
        {knownModels().map(({ id, family }) => {
          const isChecked = models.includes(id);
          return (
            <label key={id} className="flex items-center gap-2.5 py-1.25">
              <input
                type="checkbox"
                className="size-4 accent-(--ink)"
                checked={isChecked}
                disabled={isFull && !isChecked}
                onChange={() =>
                  onChange(isChecked ? models.filter((each) => each !== id) : [...models, id])
                }
              />
              <FamilyTag family={family}>{id}</FamilyTag>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
