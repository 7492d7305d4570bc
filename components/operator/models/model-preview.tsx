import { useLocale, useTranslations } from "next-intl";
import { ModelFacts } from "@/components/catalog/model-facts";
import { RateLines } from "@/components/catalog/rate-lines";
import { TypicalText } from "@/components/catalog/typical-text";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { costOf } from "@/lib/client/model-prices";
import { modelText, namesIn } from "@/lib/client/model-text";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { Family } from "@/lib/contract/states";
import { typicalUsage } from "@/lib/pricing/typical";
import { draftModel } from "./draft-model";
import { Gaps } from "./gaps";
import type { ModelInput } from "./model-form";

interface ModelPreviewProps {
  family: Family;
  input: ModelInput;
  before: ModelDetail | null;
}

/** How customers will see what is typed. */
export function ModelPreview({ family, input, before }: ModelPreviewProps) {
  const t = useTranslations("operator.models");
  const draft = draftModel(family, input, before);
  return (
    <Card aria-labelledby="preview" className="p-5 lg:sticky lg:top-5">
      <h2 id="preview" className="text-lg">
        {t("preview")}
      </h2>
      <p className="mb-4 text-muted text-sm">{t("previewNote")}</p>
      {draft === null ? (
        <p className="border-t py-6 text-center text-muted text-sm">{t("previewMissing")}</p>
      ) : (
        <Preview {...draft} />
      )}
    </Card>
  );
}

function Preview({ model, price, gaps }: NonNullable<ReturnType<typeof draftModel>>) {
  const t = useTranslations("operator.models");
  const texts = useTranslations("models");
  const locale = useLocale();
  const cost = costOf(price, typicalUsage(model));
  const names = model.names && namesIn(model.names, locale);
  return (
    <div className="grid gap-4">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <FamilyTag family={model.family}>
            <span className="wrap-anywhere font-medium">{model.id}</span>
          </FamilyTag>
          {model.alias === model.id ? null : (
            <code className="wrap-anywhere text-muted text-sm">{model.alias}</code>
          )}
        </p>
        {names ? <p className="mt-1 font-medium">{names.title}</p> : null}
        <p className="text-muted text-sm">{modelText(model, locale, texts)}</p>
      </div>
      <ModelFacts model={model} />
      {price.rates.length === 0 ? (
        <p className="text-muted text-sm">{t("noPrice")}</p>
      ) : (
        <div className="flex items-baseline justify-between gap-4 text-sm">
          <span className="text-muted">{t("price")}</span>
          <span className="num text-right">
            <RateLines rates={price.rates} isNamed />
          </span>
        </div>
      )}
      {cost ? (
        <div className="flex items-baseline justify-between gap-4 text-sm">
          <span className="text-muted">
            <TypicalText model={model} />
          </span>
          <PointsText value={cost.list} />
        </div>
      ) : null}
      {price.rates.length > 0 ? <Gaps gaps={gaps} /> : null}
    </div>
  );
}
