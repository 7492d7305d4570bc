import { useTranslations } from "next-intl";
import { useId } from "react";
import { FamilyTag } from "@/components/requests/family-tag";
import { FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { isUpstreamModel, modelsOf, type Protocol } from "./channel-form";

interface ModelMappingProps {
  protocol: Protocol;
  models: Readonly<Record<string, string>>;
  error: string | undefined;
  onChange: (models: Record<string, string>) => void;
}

/** The catalogue models that a channel serves, with the upstream's name for each. */
export function ModelMapping({ protocol, models, error, onChange }: ModelMappingProps) {
  const t = useTranslations("operator.channels");
  const errorId = useId();
  const toggle = (id: string, isOffered: boolean) => {
    const { [id]: _, ...rest } = models;
    onChange(isOffered ? { ...models, [id]: "" } : rest);
  };
  return (
    <fieldset className="min-w-0" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("models")}</legend>
      <ul className="divide-y rounded-md border">
        {modelsOf(protocol).map(({ id, family }) => {
          const upstreamName = models[id];
          const isWrong =
            error !== undefined &&
            upstreamName !== undefined &&
            !isUpstreamModel(upstreamName.trim());
          return (
            <li
              key={id}
              className="grid items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:min-h-13 sm:grid-cols-2"
            >
              <label className="flex items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-4 accent-ink"
                  checked={upstreamName !== undefined}
                  aria-invalid={
                    (error !== undefined && Object.keys(models).length === 0) || undefined
                  }
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                <FamilyTag family={family}>{id}</FamilyTag>
              </label>
              {upstreamName === undefined ? null : (
                <Input
                  aria-label={t("upstreamName", { model: id })}
                  aria-invalid={isWrong || undefined}
                  className="h-9 text-sm"
                  placeholder={t("upstreamNamePlaceholder")}
                  autoComplete="off"
                  spellCheck={false}
                  value={upstreamName}
                  onChange={(event) => onChange({ ...models, [id]: event.target.value })}
                />
              )}
            </li>
          );
        })}
      </ul>
      <FieldError id={errorId} text={error} className="mt-1.5" />
    </fieldset>
  );
}
