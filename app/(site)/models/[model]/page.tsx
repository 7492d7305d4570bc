import type { Metadata } from "next";
import { notFound, permanentRedirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { examplesOfModel } from "@/app/_server/examples";
import { priceHistory, priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { ModelFacts } from "@/components/catalog/model-facts";
import { ModelLimits } from "@/components/catalog/model-limits";
import { ModelCode } from "@/components/models/model-code";
import { ModelCosts } from "@/components/models/model-costs";
import { ModelExamples } from "@/components/models/model-examples";
import { ModelHead } from "@/components/models/model-head";
import { PriceHistory } from "@/components/models/price-history";
import { Link } from "@/components/ui/link";
import { findModel, isOffered, type Model, offeredModels } from "@/lib/catalog/models";
import { modelText } from "@/lib/client/model-text";
import { currentUser } from "@/lib/session/current-user";

interface ModelProps {
  params: Promise<{ model: string }>;
}

async function modelOf({ params }: ModelProps): Promise<{ model: Model; name: string }> {
  const name = decodeURIComponent((await params).model);
  const model = findModel(name);
  return { model: model && isOffered(model) ? model : notFound(), name };
}

export async function generateMetadata(props: ModelProps): Promise<Metadata> {
  const { model } = await modelOf(props);
  const t = await getTranslations("models");
  return publicMetadata(`/models/${model.alias}`, model.id, modelText(model, await getLocale(), t));
}

/** Any name of a model redirects to the page at its alias. */
export default async function ModelPage(props: ModelProps) {
  const { model, name } = await modelOf(props);
  if (name !== model.alias) permanentRedirect(`/models/${model.alias}`);
  const t = await getTranslations("modelPage");
  const user = await currentUser();
  const [prices, history, examples] = await Promise.all([
    priceViews(user?.accountId ?? null),
    priceHistory(model),
    examplesOfModel(model),
  ]);
  const price = prices.find((each) => each.model === model.id) ?? notFound();
  const { origin, baseUrl } = siteFacts();
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <div className="min-w-0">
        <ModelHead model={model} price={price} />
        <ModelExamples examples={examples} />
        <section aria-labelledby="can" className="mt-10">
          <h2 id="can" className="mb-3 text-xl">
            {t("canDo")}
          </h2>
          <ModelFacts model={model} />
        </section>
        <PriceHistory history={history} />
      </div>
      <div className="min-w-0 lg:pt-8">
        <ModelCode model={model} place={{ origin, baseUrl }} />
        <ModelCosts model={model} price={price} />
      </div>
      <Others model={model} seen={prices.map((each) => each.model)} />
    </div>
  );
}

async function Others({ model, seen }: { model: Model; seen: readonly string[] }) {
  const t = await getTranslations("modelPage");
  const others = offeredModels().filter(
    ({ id, family }) => family === model.family && id !== model.id && seen.includes(id),
  );
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others" className="lg:col-span-2">
      <h2 id="others" className="mb-3 text-xl">
        {t("others")}
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {others.map((each) => (
          <li key={each.id}>
            <Link
              href={`/models/${each.alias}`}
              prefetch={false}
              className="block h-full rounded-lg border bg-card px-4 py-3 hover:border-line-strong"
            >
              <span className="font-medium">{each.id}</span>
              <span className="block text-muted text-sm">
                <ModelLimits model={each} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
