import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { SelectField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";

/** The most models that answer one question. */
const MODELS_MAX = 4;

interface RivalFieldsProps {
  model: string;
  others: readonly string[];
  onChange: (others: readonly string[]) => void;
}

/** The models that answer beside the chosen one. */
export function RivalFields({ model, others, onChange }: RivalFieldsProps) {
  const t = useTranslations("playground");
  const ids = useOfferedOf("text").map(({ id }) => id);
  const free = ids.filter((id) => id !== model && !others.includes(id));
  const [next] = free;
  return (
    <>
      {others.map((other, at) => (
        <div key={other} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <SelectField
              label={t("compareWith", { number: at + 2 })}
              value={other}
              onChange={({ target }) => onChange(others.with(at, target.value))}
            >
              {ids
                .filter((id) => id === other || free.includes(id))
                .map((id) => (
                  <option key={id}>{id}</option>
                ))}
            </SelectField>
          </div>
          <Button
            className="mb-1.5 h-10"
            aria-label={t("stopCompare", { model: other })}
            title={t("stopCompare", { model: other })}
            onClick={() => onChange(others.filter((each) => each !== other))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {next !== undefined && others.length < MODELS_MAX - 1 ? (
        <button
          type="button"
          onClick={() => onChange([...others, next])}
          className="flex h-7.5 items-center gap-2 rounded-md border border-control border-dashed px-2.5 text-muted text-sm hover:text-ink"
        >
          <Plus aria-hidden className="size-3.5" />
          {t("compareModels")}
        </button>
      ) : null}
    </>
  );
}
