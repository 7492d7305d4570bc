import { useFormatter, useTranslations } from "next-intl";
import { offeredModels } from "@/lib/catalog/models";
import { requestsWithin } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";
import { typicalRequest, typicalUsage } from "@/lib/pricing/typical";

/** A text model, and a video model with all features. */
function examples(prices: readonly ModelPriceView[]) {
  const offered = offeredModels().filter(({ id }) => prices.some(({ model }) => model === id));
  return [
    offered.find(({ family }) => family === "text"),
    offered.find((model) => model.family === "video" && model.audio),
  ];
}

/** How many typical requests of each kind a balance covers, such as `about 14 videos of 5 s …`. */
export function useBuyingPhrases(available: string, prices: readonly ModelPriceView[]): string[] {
  const t = useTranslations("points.buys");
  const format = useFormatter();
  const phrases: string[] = [];
  for (const model of examples(prices)) {
    const view = prices.find((price) => price.model === model?.id);
    if (!model || !view) continue;
    const count = requestsWithin(available, view, typicalUsage(model));
    if (count === null || count === 0) continue;
    const typical = typicalRequest(model);
    const number = format.number(count);
    if (typical.family === "text")
      phrases.push(
        t("text", { count, number, model: model.id, tokens: format.number(typical.inputTokens) }),
      );
    if (typical.family === "video") {
      phrases.push(
        t("video", {
          count,
          number,
          model: model.id,
          seconds: typical.seconds,
          resolution: typical.resolution,
        }),
      );
    }
  }
  return phrases;
}

/** How many typical requests a balance covers, in a sentence. */
export function useBuyingPower(available: string, prices: readonly ModelPriceView[]): string {
  const t = useTranslations("points.buys");
  const [first, second] = useBuyingPhrases(available, prices);
  if (!first) return t("none");
  return second ? t("both", { first, second }) : t("one", { first });
}
