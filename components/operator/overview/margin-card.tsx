import { useFormatter, useLocale, useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { familyColours } from "@/components/requests/series-colours";
import { Card, PartHead } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { millionthsText } from "@/lib/client/money-text";
import { type FamilyMargin, familyMargins, totalMargin } from "@/lib/client/operator-margins";
import type { OperatorPrice } from "@/lib/contract/operator-prices";

interface MarginCardProps {
  /** Undefined while loading. */
  prices: readonly OperatorPrice[] | undefined;
  /** The currency in which points are sold; null when it is not known. */
  currency: string | null;
}

/** What was charged in the last 30 days beside what the upstreams asked for it. */
export function MarginCard({ prices, currency }: MarginCardProps) {
  const t = useTranslations("operator.overview.margin");
  const margins = familyMargins(prices ?? []);
  return (
    <Card aria-labelledby="margin" className="min-h-44 px-5 pt-4 pb-4">
      <PartHead id="margin" title={t("title")} href="/admin/money" all={t("all")} />
      {prices === undefined ? <Skeleton className="mt-3 h-24" /> : null}
      {prices && (margins.length === 0 || currency === null) ? (
        <p className="mt-2 text-muted text-sm">
          {t.rich("unknown", {
            prices: (text) => (
              <Link href="/admin/prices" className="underline underline-offset-3">
                {text}
              </Link>
            ),
          })}
        </p>
      ) : null}
      {margins.length > 0 && currency !== null ? (
        <Margins margins={margins} currency={currency} />
      ) : null}
    </Card>
  );
}

function Margins({ margins, currency }: { margins: readonly FamilyMargin[]; currency: string }) {
  const t = useTranslations("operator.overview.margin");
  const format = useFormatter();
  const locale = useLocale();
  const percent = (share: number | null) =>
    share === null ? "–" : format.number(share, { style: "percent", maximumFractionDigits: 1 });
  const money = (amount: bigint) => millionthsText(String(amount), currency, locale);
  const total = totalMargin(margins);
  const amounts = margins.flatMap(({ income, cost }) => [income, cost]);
  const widest = amounts.sort((a, b) => Number(b - a))[0] || 1n;
  return (
    <>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2.5">
        <span className="num font-medium text-xl">{money(total.income - total.cost)}</span>
        <span className="text-muted text-sm">
          {t("keptOf", { income: money(total.income), share: percent(total.share) })}
        </span>
      </p>
      <dl className="mt-3 grid gap-2.5">
        {margins.map(({ family, income, cost, share }) => (
          <div key={family} className="grid grid-cols-[5rem_minmax(0,1fr)_4rem] items-center gap-3">
            <dt>
              <FamilyTag family={family} />
            </dt>
            <dd className="order-last num text-right text-sm">{percent(share)}</dd>
            <dd title={t("bar", { income: money(income), cost: money(cost) })}>
              <Bars income={income} cost={cost} widest={widest} colour={familyColours[family]} />
              <span className="sr-only">
                {t("bar", { income: money(income), cost: money(cost) })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-muted text-sm">{t("note")}</p>
    </>
  );
}

interface BarsProps {
  income: bigint;
  cost: bigint;
  widest: bigint;
  colour: string;
}

function Bars({ income, cost, widest, colour }: BarsProps) {
  const width = (amount: bigint) => `${Number((amount * 1000n) / widest) / 10}%`;
  return (
    <svg aria-hidden className="block h-3 w-full">
      <rect width={width(income)} height={6} rx={2} fill={colour} />
      <rect y={8} width={width(cost)} height={4} rx={2} fill="var(--line-strong)" />
    </svg>
  );
}
