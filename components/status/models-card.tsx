import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { LocalTime } from "@/components/ui/local-time";
import { Notice } from "@/components/ui/notice";
import type { Model } from "@/lib/catalog/models";
import type { ModelFigures } from "@/lib/contract/model-figures";
import { ModelLine } from "./model-line";
import type { ModelNow } from "./model-state";

interface ModelsCardProps {
  models: readonly { model: Model; now: ModelNow }[];
  /** Null while they cannot be read. */
  figures: { readonly value: readonly ModelFigures[]; readonly at: Date } | null;
}

/** Every offered model with its figures. */
export function ModelsCard({ models, figures }: ModelsCardProps) {
  const t = useTranslations("status");
  const at = figures?.at ?? new Date();
  return (
    <Card aria-labelledby="models" className="mb-3.5">
      <CardHead id="models" title={t("models")} note={t("modelsNote")}>
        {figures ? (
          <span className="text-muted text-sm">
            {t.rich("asOf", { time: () => <LocalTime at={figures.at.toISOString()} /> })}
          </span>
        ) : null}
      </CardHead>
      {figures ? null : (
        <div className="border-t p-5">
          <Notice tone="note">{t("unreadable")}</Notice>
        </div>
      )}
      {models.length === 0 ? (
        <p className="border-t px-5 py-10 text-center text-muted">{t("noModels")}</p>
      ) : (
        <ul className="divide-y border-t">
          {models.map(({ model, now }) => (
            <ModelLine
              key={model.id}
              model={model}
              now={now}
              figures={figures?.value.find((each) => each.model === model.id)}
              at={at}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
