import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { figuresByModel } from "@/app/_server/model-figures";
import { priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { BoardHead, BoardRow, hasAny } from "@/components/catalog/model-board";
import { type FoundModel, ModelFinder } from "@/components/models/model-finder";
import { ClientMessages } from "@/components/shell/client-messages";
import { offeredModels } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { modelText } from "@/lib/client/model-text";
import { typicalUsage } from "@/lib/pricing/typical";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("modelPage");
  return publicMetadata("/models", t("name"), t("note"));
}

/** The models as rows, and whether there are figures of any. */
async function foundModels(): Promise<{ found: FoundModel[]; hasFigures: boolean }> {
  const user = await currentUser();
  const t = await getTranslations("models");
  const locale = await getLocale();
  const [prices, figures] = await Promise.all([
    priceViews(user?.accountId ?? null),
    figuresByModel(),
  ]);
  const hasFigures = hasAny(figures);
  const found = offeredModels().flatMap((model) => {
    const { id, alias, family, synonyms } = model;
    const price = prices.find((each) => each.model === id);
    // Not for this account.
    if (price === undefined) return [];
    const own = figures.get(id);
    const cost = price && costOf(price, typicalUsage(model));
    const names = [id, alias, ...synonyms, modelText(model, locale, t)];
    return {
      id,
      family,
      text: names.join(" ").toLowerCase(),
      cost: cost ? Number(cost.own) : null,
      usualMs: own?.usualMs ?? null,
      success: own?.success ?? null,
      row: (
        <BoardRow
          key={id}
          model={model}
          price={price}
          figures={own}
          hasFigures={hasFigures}
          hasText
        />
      ),
    };
  });
  return { found, hasFigures };
}

export default async function ModelsPage() {
  const t = await getTranslations("modelPage");
  const { found, hasFigures } = await foundModels();
  return (
    <ClientMessages of={["ui", "families", "modelFinder"]}>
      <h1 id="models" className="max-w-[17ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter">
        {t("title")}
      </h1>
      <p className="mt-3 mb-8 max-w-[62ch] text-muted">{t("note")}</p>
      <ModelFinder models={found} head={<BoardHead hasFigures={hasFigures} />} />
    </ClientMessages>
  );
}
