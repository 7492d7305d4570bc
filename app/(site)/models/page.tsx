import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { figuresByModel } from "@/app/_server/model-figures";
import { priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { boardTable } from "@/components/catalog/board-table";
import { BoardHead, BoardRow, hasAny } from "@/components/catalog/model-board";
import { inModelOrder, modelSorts } from "@/components/catalog/model-order";
import { PageLinks } from "@/components/catalog/page-links";
import { ModelFinder } from "@/components/models/model-finder";
import { ClientMessages } from "@/components/shell/client-messages";
import { Card } from "@/components/ui/card";
import { Table, TableBody } from "@/components/ui/table";
import { type Model, offeredModels } from "@/lib/catalog/models";
import {
  isFound,
  type ModelSearch,
  modelSearchOf,
  pageOf,
  type UrlParameters,
} from "@/lib/client/model-search";
import { modelText } from "@/lib/client/model-text";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ModelPriceView } from "@/lib/contract/prices";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("modelPage");
  return publicMetadata("/models", t("name"), t("note"));
}

interface FoundModel {
  readonly model: Model;
  readonly price: ModelPriceView;
  readonly figures: ModelFigures | undefined;
}

/** What the search finds, in its order, and whether there are figures of any model. */
async function findModels(search: ModelSearch) {
  const user = await currentUser();
  const t = await getTranslations("models");
  const locale = await getLocale();
  const [prices, figures] = await Promise.all([
    priceViews(user?.accountId ?? null),
    figuresByModel(),
  ]);
  const priceOf = new Map(prices.map((price) => [price.model, price]));
  const found = offeredModels().flatMap((model): FoundModel[] => {
    const { id, alias, family, synonyms } = model;
    const price = priceOf.get(id);
    // Not for this account.
    if (price === undefined) return [];
    const texts = [id, alias, ...synonyms, modelText(model, locale, t)];
    return isFound(search, family, texts) ? [{ model, price, figures: figures.get(id) }] : [];
  });
  return { found: inModelOrder(found, search, locale), hasFigures: hasAny(figures) };
}

export default async function ModelsPage({
  searchParams,
}: {
  searchParams: Promise<UrlParameters>;
}) {
  const parameters = await searchParams;
  const search = modelSearchOf(parameters);
  const t = await getTranslations("modelPage");
  const finder = await getTranslations("modelFinder");
  const { found, hasFigures } = await findModels(search);
  const page = pageOf(found, search.page);
  return (
    <ClientMessages of={["ui", "families", "modelFinder"]}>
      <h1 id="models" className="max-w-[17ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter">
        {t("title")}
      </h1>
      <p className="mt-3 mb-8 max-w-[62ch] text-muted">{t("note")}</p>
      <ModelFinder search={search} count={found.length}>
        <Card>
          <Table labelledBy="models" columns="many" className={boardTable}>
            <BoardHead hasFigures={hasFigures} sorts={modelSorts("/models", parameters, search)} />
            <TableBody>
              {page.shown.map(({ model, price, figures }) => (
                <BoardRow
                  key={model.id}
                  model={model}
                  price={price}
                  figures={figures}
                  hasFigures={hasFigures}
                  hasText
                />
              ))}
            </TableBody>
          </Table>
          {found.length === 0 ? <p className="px-5 py-8 text-muted">{finder("none")}</p> : null}
          <PageLinks of={page} path="/models" parameters={parameters} />
        </Card>
      </ModelFinder>
    </ClientMessages>
  );
}
