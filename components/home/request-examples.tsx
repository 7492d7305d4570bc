import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { FamilyTag } from "@/components/usage/family-tag";
import { SettlementLine } from "@/components/usage/settlement-line";
import { models } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/site";

const boundUsage = { inputTokens: 1000, outputTokens: 1000 };
const answerUsage = { inputTokens: 1000, outputTokens: 412 };

/** Three requests as the points page shows them, at the prices of this moment. */
export function RequestExamples({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("home.examples");
  const model = models.find(({ family }) => family === "text");
  const price = prices.find((each) => each.model === model?.id);
  const bound = price && costOf(price, boundUsage)?.list;
  const charged = price && costOf(price, answerUsage)?.list;
  if (!model || !bound || !charged) return null;
  const rows = [
    { name: t("answered"), state: "settled", settled: charged, amount: `-${charged}` },
    { name: t("running"), state: "held", settled: null, amount: null },
    { name: t("failed"), state: "released", settled: null, amount: "0.000000" },
  ] as const;
  return (
    <Card aria-labelledby="examples">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4.5 pb-1">
        <h2 id="examples" className="text-lg">
          {t("title")}
        </h2>
        <p className="text-muted text-sm">{t("note")}</p>
      </div>
      <ul>
        {rows.map(({ name, state, settled, amount }) => (
          <li key={state} className="grid gap-3 border-b px-5 py-4 last:border-b-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p>
                <FamilyTag family={model.family}>{model.id}</FamilyTag> <span className="ml-1 text-muted text-sm">{name}</span>
              </p>
              <PointsText value={amount ?? bound} form="exact" className={amount ? "" : "text-held-ink [&>span]:text-inherit"} />
            </div>
            <SettlementLine state={state} quoted={bound} held={bound} settled={settled} className="max-w-none" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
