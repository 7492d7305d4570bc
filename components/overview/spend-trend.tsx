import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useAxisText } from "@/components/requests/use-axis-text";
import { Card } from "@/components/ui/card";
import { Chart } from "@/components/ui/chart/chart";
import type { ChartColumn, ChartSeries } from "@/components/ui/chart/chart-parts";
import { ChartTable } from "@/components/ui/chart/chart-table";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { dayColumn } from "@/lib/client/days";
import { lastDaysSum } from "@/lib/client/pace";
import { exactPoints, shortPoints } from "@/lib/client/points-display";
import { useDailySpend } from "@/lib/client/usage";
import { formatPoints } from "@/lib/money/points";

const WEEK = 7;
const dayHref = (day: string) => `/usage?days=30&day=${day}`;

type Days = ReturnType<typeof useDailySpend>["days"];

/** A column for each day; undefined while they load. */
function useSpendParts(days: Days) {
  const charts = useTranslations("charts");
  const usage = useTranslations("usage");
  const locale = useLocale();
  const columns = days?.map(({ day, amount, requests }): ChartColumn => {
    const column = dayColumn(day, locale);
    const points = exactPoints(amount);
    return {
      ...column,
      total: shortPoints(amount),
      said: charts("day.points", { day: column.long, points, count: requests }),
    };
  });
  const series: ChartSeries[] = [
    {
      id: "charged",
      name: usage("charged"),
      colour: "var(--ink)",
      values: days?.map(({ amount }) => Number(amount)) ?? [],
      texts: days?.map(({ amount }) => shortPoints(amount)) ?? [],
    },
  ];
  return { columns, series };
}

/** The charges of the last 30 days. A day leads to its requests. */
export function SpendTrend() {
  const t = useTranslations("overview");
  const charts = useTranslations("charts");
  const usage = useTranslations("usage");
  const router = useRouter();
  const axisText = useAxisText();
  const { days, error, refetch } = useDailySpend();
  const { columns, series } = useSpendParts(days);
  return (
    <Card aria-labelledby="spend">
      <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 px-5 pt-4 pb-2 sm:grid-cols-[1fr_auto_auto]">
        <h2 id="spend" className="text-lg">
          {t("spend")}
        </h2>
        <p className="min-h-10 text-muted text-sm max-sm:order-last max-sm:col-span-2 sm:min-h-5">
          {days ? (
            <Weeks amounts={days.map(({ amount }) => amount)} />
          ) : (
            <Skeleton className="inline-block h-3.5 w-64 max-w-full" />
          )}
        </p>
        <Link
          href="/usage"
          className="text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {t("allUsage")}
        </Link>
      </div>
      {error && !days ? (
        <div className="min-h-48 px-5 pb-5">
          <QueryFailure error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <Chart
          className="mx-5 mb-3 h-42"
          label={t("spendLabel")}
          columns={columns}
          series={series}
          axisText={axisText}
          empty={t("noSpend")}
          onChoose={({ id }) => router.push(dayHref(id))}
        />
      )}
      <ChartTable
        title={usage("asTable")}
        labelledBy="spend"
        time={charts("dayHead")}
        columns={columns ?? []}
        series={series}
        timeCell={({ id, long }) => (
          <Link
            href={dayHref(id)}
            prefetch={false}
            className="underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {long}
          </Link>
        )}
      />
    </Card>
  );
}

/** The last week beside the one before. */
function Weeks({ amounts }: { amounts: readonly string[] }) {
  const t = useTranslations("overview");
  const points = (amount: bigint) => () => (
    <PointsText value={formatPoints(amount)} className="text-ink" />
  );
  return (
    <span>
      {t.rich("weeks", {
        last: points(lastDaysSum(amounts, WEEK)),
        before: points(lastDaysSum(amounts.slice(0, -WEEK), WEEK)),
      })}
    </span>
  );
}
