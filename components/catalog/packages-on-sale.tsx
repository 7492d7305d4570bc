import { useLocale, useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { decimalMoneyText, moneyText } from "@/lib/client/money-text";
import { pointCost } from "@/lib/client/point-cost";
import type { PackageView } from "@/lib/contract/payments";
import type { ModelPriceView } from "@/lib/contract/prices";
import { useBuyingPower } from "./buying-power";

interface PackagesOnSaleProps {
  packages: readonly PackageView[];
  prices: readonly ModelPriceView[];
  /** The currency that the page's URL asks for. */
  wanted: string | null;
  /** The page with the packages of a currency. */
  hrefOf: (currency: string) => string;
  className?: string;
}

/** What points cost and buy, in one of the currencies in which they are sold; nothing where none are. */
export function PackagesOnSale(props: PackagesOnSaleProps) {
  const { packages, prices, wanted, hrefOf, className } = props;
  const t = useTranslations("pricing.sale");
  const locale = useLocale();
  const cost = pointCost(packages, wanted);
  if (cost === null) return null;
  const { currency, currencies, packages: shown, least, most } = cost;
  const costText = (of: number) => decimalMoneyText(String(of), currency, locale);
  return (
    <Card aria-labelledby="sale" className={className}>
      <CardHead
        id="sale"
        title={t("title")}
        note={
          least === most
            ? t("cost", { cost: costText(least) })
            : t("costs", { from: costText(least), to: costText(most) })
        }
      >
        {currencies.length > 1 ? (
          <Currencies currencies={currencies} chosen={currency} hrefOf={hrefOf} />
        ) : null}
      </CardHead>
      <ul
        className={cn(
          "grid overflow-hidden rounded-b-lg border-t sm:grid-cols-2",
          shown.length % 4 === 0 ? "lg:grid-cols-4" : "lg:grid-cols-3",
        )}
      >
        {shown.map((each) => (
          <Package key={each.id} offer={each} prices={prices} />
        ))}
      </ul>
    </Card>
  );
}

function Package({ offer, prices }: { offer: PackageView; prices: readonly ModelPriceView[] }) {
  const t = useTranslations("pricing.sale");
  const locale = useLocale();
  const words = useBuyingPower(offer.points, prices);
  return (
    <li className="-mr-px -mb-px grid content-start gap-1 border-r border-b px-5 py-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium wrap-anywhere">{offer.name}</span>
        <span className="num">{moneyText(offer.amount, offer.currency, locale)}</span>
      </p>
      <p className="text-muted text-sm">
        {t.rich("points", { amount: () => <PointsText value={offer.points} /> })}
      </p>
      <p className="text-muted text-sm wrap-anywhere">{words}</p>
    </li>
  );
}

interface CurrenciesProps {
  currencies: readonly string[];
  chosen: string;
  hrefOf: (currency: string) => string;
}

/** The currencies as links, so that each has its own URL. */
function Currencies({ currencies, chosen, hrefOf }: CurrenciesProps) {
  const t = useTranslations("pricing.sale");
  return (
    <nav aria-label={t("currency")} className="flex flex-wrap gap-1.5 text-sm">
      {currencies.map((each) => (
        <Link
          key={each}
          href={hrefOf(each)}
          scroll={false}
          prefetch={false}
          aria-current={each === chosen ? "true" : undefined}
          className={cn(
            "rounded-full border px-3 py-1",
            each === chosen
              ? "border-ink bg-ink text-paper"
              : "border-line-strong text-muted hover:text-ink",
          )}
        >
          {each.toUpperCase()}
        </Link>
      ))}
    </nav>
  );
}
