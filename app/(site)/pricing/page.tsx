import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { priceViews, virtualPriceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { packagesOnSale } from "@/app/_server/topup";
import { inModelOrder, modelSorts } from "@/components/catalog/model-order";
import { PackagesOnSale } from "@/components/catalog/packages-on-sale";
import { PageLinks } from "@/components/catalog/page-links";
import { Calculator } from "@/components/pricing/calculator";
import { ChangedAt } from "@/components/pricing/changed-at";
import { FamilyFilter } from "@/components/pricing/family-filter";
import { PriceRules } from "@/components/pricing/price-rules";
import { PriceSearch } from "@/components/pricing/price-search";
import { PriceTable } from "@/components/pricing/price-table";
import { VirtualPrices } from "@/components/pricing/virtual-prices";
import { ClientMessages } from "@/components/shell/client-messages";
import { linkClassName } from "@/components/ui/rich-text";
import { findModel } from "@/lib/catalog/models";
import {
  addressWith,
  isFound,
  MODELS_PER_PAGE,
  type ModelSearch,
  modelSearchOf,
  pageOf,
  type UrlParameters,
} from "@/lib/client/model-search";
import { modelText } from "@/lib/client/model-text";
import type { ModelPriceView } from "@/lib/contract/prices";
import { publicEndpoints } from "@/lib/contract/public";
import { families } from "@/lib/contract/states";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pricing");
  return publicMetadata("/pricing", t("name"), t("note"));
}

/** The prices of the models that have the words of a search, by family, each in the search's order. */
async function findPrices(prices: readonly ModelPriceView[], search: ModelSearch) {
  const t = await getTranslations("models");
  const locale = await getLocale();
  return families.flatMap((family) => {
    const found = prices.flatMap((price) => {
      const model = price.family === family && findModel(price.model);
      if (!model) return [];
      const texts = [model.id, model.alias, ...model.synonyms, modelText(model, locale, t)];
      return isFound({ query: search.query, family }, family, texts) ? [{ model, price }] : [];
    });
    return inModelOrder(found, search, locale).map(({ price }) => price);
  });
}

/** All of a short list; of a long one, some that were found, of each family. */
function calculated(prices: readonly ModelPriceView[], found: readonly ModelPriceView[]) {
  if (prices.length <= MODELS_PER_PAGE) return { key: "", prices };
  const of = found.length > 0 ? found : prices;
  const some = families.flatMap((family) =>
    of.filter((price) => price.family === family).slice(0, MODELS_PER_PAGE),
  );
  return { key: some.map(({ model }) => model).join(), prices: some };
}

export default async function PricingPage({
  searchParams,
}: {
  searchParams: Promise<UrlParameters>;
}) {
  const parameters = await searchParams;
  const search = modelSearchOf(parameters);
  const { query, family, page: wanted } = search;
  const t = await getTranslations("pricing");
  const finder = await getTranslations("modelFinder");
  const user = await currentUser();
  const [prices, virtual, packages] = await Promise.all([
    priceViews(user?.accountId ?? null),
    virtualPriceViews(user?.accountId ?? null),
    packagesOnSale(),
  ]);
  const hasOwn = prices.some(({ own }) => own !== null);
  const found = await findPrices(prices, search);
  const inFamily = family === null ? found : found.filter((price) => price.family === family);
  const page = pageOf(inFamily, wanted);
  const calculator = calculated(prices, found);
  return (
    <ClientMessages of={["ui", "families", "calculator", "rates", "modelFinder"]}>
      <h1 className="max-w-[17ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter">{t("title")}</h1>
      <p className="mt-3 mb-8 max-w-[62ch] text-muted">{hasOwn ? t("noteOwn") : t("note")}</p>
      <div className="grid grid-cols-1 gap-5.5 lg:grid-cols-[minmax(0,1fr)_20.625rem]">
        <div className="min-w-0">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2.5">
            <FamilyFilter family={family} parameters={parameters} />
            <PriceSearch query={query} />
          </div>
          <PriceTable
            prices={page.shown}
            hasOwn={hasOwn}
            sorts={modelSorts("/pricing", parameters, search)}
            foot={
              <>
                {page.count === 0 ? <p className="px-5 py-8 text-muted">{finder("none")}</p> : null}
                <PageLinks of={page} path="/pricing" parameters={parameters} />
              </>
            }
          />
          <VirtualPrices prices={virtual} />
          <ChangedAt prices={prices} />
          <p className="mt-1 text-muted text-sm">
            {t.rich("data", {
              prices: (text) => (
                <a href={publicEndpoints.showPrices.path} className={linkClassName}>
                  {text}
                </a>
              ),
            })}
          </p>
        </div>
        <Calculator key={calculator.key} prices={calculator.prices} />
      </div>
      <PackagesOnSale
        packages={packages}
        prices={prices}
        wanted={typeof parameters.currency === "string" ? parameters.currency : null}
        hrefOf={(currency) => addressWith("/pricing", parameters, { currency })}
        className="mt-10"
      />
      <PriceRules />
    </ClientMessages>
  );
}
