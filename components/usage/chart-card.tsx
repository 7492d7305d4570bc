import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { changeAddress } from "@/components/lists/address";
import { useAxisText, useAxisTime } from "@/components/requests/use-axis-text";
import { Card, CardHead } from "@/components/ui/card";
import { Chart } from "@/components/ui/chart/chart";
import type { ChartColumn } from "@/components/ui/chart/chart-parts";
import { ChartTable } from "@/components/ui/chart/chart-table";
import { Legend } from "@/components/ui/chart/legend";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { daysBetween } from "@/lib/client/days";
import { useSumsBefore } from "@/lib/client/usage";
import type { UsageSum } from "@/lib/contract/usage";
import type { UsageChart } from "@/lib/contract/usage-chart";
import type { UsageFilterView } from "@/lib/contract/usage-filter";
import { ChartControls } from "./chart-controls";
import { hasSums, type Measure } from "./chart-measures";
import { useGhost, useUsageChartParts, useUsageTotals } from "./use-usage-chart-parts";
import type { UsageAddress } from "./use-usage-filter";

const always = { from: "2000-01-01", to: "2000-01-01" };

interface ChartCardProps {
  address: UsageAddress | null;
  query: UseQueryResult<UsageChart>;
}

/** The filtered requests by day, divided by model, family or key. A day can be chosen. */
export function ChartCard({ address, query }: ChartCardProps) {
  const t = useTranslations("charts");
  const { data, error, refetch, isPlaceholderData } = query;
  return (
    <Card aria-labelledby="chart" className="mb-3.5" aria-busy={isPlaceholderData}>
      <CardHead
        id="chart"
        title={t("title")}
        note={t("note", { zone: address?.filter.zone ?? "UTC" })}
      >
        <ChartControls address={address} />
      </CardHead>
      {error && !data ? (
        <div className="min-h-66 px-5 pb-5">
          <QueryFailure error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        // The names of other groups would not fit these values.
        <Body address={address} chart={isPlaceholderData ? undefined : data} />
      )}
    </Card>
  );
}

interface TotalsProps {
  filter: UsageFilterView | null;
  total: ReturnType<typeof useUsageChartParts>["total"];
  before: UsageSum | undefined;
  measure: Measure;
}

/** The sum of the range, and of as many days before it. As high while they load. */
function Totals({ filter, total, before, measure }: TotalsProps) {
  const t = useTranslations("charts");
  const totals = useUsageTotals(total, before, measure);
  const days = filter ? daysBetween(filter.from, filter.to).length : 0;
  return (
    <p className="mb-2 flex min-h-11 flex-wrap items-baseline gap-x-2.5 sm:min-h-7">
      {totals ? (
        <>
          <b className="num font-medium text-xl">{totals.total}</b>
          <span className="text-muted text-sm">
            {t("before", {
              count: days,
              amount: totals.before,
              change: totals.change ?? "none",
            })}
          </span>
        </>
      ) : (
        <Skeleton className="my-1.5 h-4 w-56 max-w-full" />
      )}
    </p>
  );
}

function Body({ address, chart }: { address: UsageAddress | null; chart: UsageChart | undefined }) {
  const t = useTranslations("charts");
  const usage = useTranslations("usage");
  const countText = useAxisText();
  const timeText = useAxisTime();
  const measure = address?.measure ?? "points";
  const by = { group: address?.group ?? "model", thenBy: address?.thenBy } as const;
  const filter = address?.filter ?? always;
  const { columns, series, total } = useUsageChartParts(chart, filter, by, measure);
  const before = useSumsBefore(hasSums(measure) ? (address?.filter ?? null) : null);
  const daysBefore = before.isPlaceholderData ? undefined : before.data?.groups;
  const ghost = useGhost(filter, daysBefore, measure);
  const ghosts = ghost ? [{ ...ghost, id: "before", colour: "var(--control)" }] : [];
  const day = address?.day ?? null;
  const choose = ({ id }: ChartColumn) => changeAddress({ day: id === day ? null : id });
  const name = t(`measures.${measure}`);
  return (
    <>
      <div className="px-5 pb-3">
        {hasSums(measure) ? (
          <Totals
            filter={address?.filter ?? null}
            total={total}
            before={before.data?.total}
            measure={measure}
          />
        ) : null}
        <Chart
          label={t("label", { measure: name })}
          columns={chart && columns}
          series={series}
          form={hasSums(measure) ? "stack" : "lines"}
          axisText={hasSums(measure) ? countText : timeText}
          empty={usage("emptyGroups")}
          chosen={day}
          onChoose={choose}
          ghost={ghost}
          onBrush={(first, last) =>
            changeAddress({ from: first.id, to: last.id, days: null, day: null })
          }
        />
        <div className="mt-2.5 min-h-11 sm:min-h-5">
          {chart ? (
            <Legend
              label={t("legend", { measure: name })}
              entries={[...series.map(({ sum, ...each }) => ({ ...each, value: sum })), ...ghosts]}
            />
          ) : (
            <Skeleton className="h-4 w-64 max-w-full" />
          )}
        </div>
      </div>
      <ChartTable
        title={usage("asTable")}
        labelledBy="chart"
        time={t("dayHead")}
        sum={hasSums(measure) ? t("sum") : undefined}
        columns={chart ? columns : []}
        series={[...series, ...ghosts]}
        timeCell={(column) => (
          <DayButton isPressed={column.id === day} onPress={() => choose(column)}>
            {column.long}
          </DayButton>
        )}
      />
    </>
  );
}

interface DayButtonProps {
  isPressed: boolean;
  onPress: () => void;
  children: ReactNode;
}

function DayButton({ isPressed, onPress, children }: DayButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink aria-pressed:font-semibold"
    >
      {children}
    </button>
  );
}
