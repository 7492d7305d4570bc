import { useTranslations } from "next-intl";
import { TypicalText } from "@/components/catalog/typical-text";
import { FamilyTag } from "@/components/requests/family-tag";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { type Model, offeredModels } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { readPoints } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { families } from "@/lib/contract/states";
import { typicalUsage } from "@/lib/pricing/typical";

interface Offer {
  readonly model: Model;
  readonly cost: string;
}

/** The model whose typical request costs least, and its cost. */
function cheapest(offered: readonly Model[], prices: readonly ModelPriceView[]): Offer | null {
  const offers = offered.flatMap((model) => {
    const price = prices.find((each) => each.model === model.id);
    const cost = price && costOf(price, typicalUsage(model));
    return cost ? [{ model, cost: cost.list }] : [];
  });
  return offers.reduce<Offer | null>(
    (least, offer) =>
      least === null || readPoints(offer.cost) < readPoints(least.cost) ? offer : least,
    null,
  );
}

export function FamilyCards({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("home.families");
  return (
    <section aria-labelledby="families" className="mt-20">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="families" className="text-2xl">
          {t("title")}
        </h2>
        <Link
          href="/pricing"
          className="rounded-sm text-muted underline decoration-line-strong underline-offset-3 hover:text-ink"
        >
          {t("allPrices")}
        </Link>
      </div>
      <div className="grid border-t sm:grid-cols-3">
        {families.map((family) => {
          const offered = offeredModels().filter((model) => model.family === family);
          const least = cheapest(offered, prices);
          return (
            <div
              key={family}
              className="border-b py-5 sm:border-b-0 sm:px-6 sm:not-first:border-l sm:first:pl-0 sm:last:pr-0"
            >
              <FamilyTag family={family} />
              <p className="mt-2 mb-4 max-w-[40ch] text-muted">{t(`${family}.text`)}</p>
              {least ? (
                <p className="mb-4">
                  {t.rich("from", {
                    amount: () => <PointsText value={least.cost} className="font-medium text-lg" />,
                  })}{" "}
                  <span className="text-muted text-sm">
                    <TypicalText model={least.model} />
                  </span>
                </p>
              ) : null}
            </div>
          );
        })}
      </div>
    </section>
  );
}
