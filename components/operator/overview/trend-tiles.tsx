import { ArrowUpRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useAxisText, useAxisTime } from "@/components/requests/use-axis-text";
import { Card } from "@/components/ui/card";
import { Chart } from "@/components/ui/chart/chart";
import { ChartTable } from "@/components/ui/chart/chart-table";
import { Legend } from "@/components/ui/chart/legend";
import { useDurationText } from "@/components/ui/duration-text";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useListText } from "@/components/ui/use-list-text";
import { readPoints, shortPoints } from "@/lib/client/points-display";
import type { TrendsView } from "@/lib/contract/operator-trends";
import type { TrendRange } from "@/lib/contract/states";
import { formatPoints } from "@/lib/money/points";
import { type TrendParts, useTrendParts } from "./use-trend-parts";

type Trends = NonNullable<TrendsView["trends"]>;

const unknown: TrendsView = {
  from: new Date(0).toISOString(),
  slotSeconds: 3600,
  slotCount: 0,
  trends: null,
};
const tables = ["requests", "failures", "charged", "times"] as const;

/** Requests, errors, charges and times over the range. Each chart leads to its page. */
export function TrendTiles({ view, range }: { view: TrendsView | undefined; range: TrendRange }) {
  const t = useTranslations("operator.overview.trends");
  const parts = useTrendParts(view ?? unknown);
  if (view?.trends === null) {
    return <Card className="px-5 py-8 text-center text-muted text-sm">{t("tooMany")}</Card>;
  }
  const trends = view?.trends;
  return (
    <div className="grid gap-3">
      <div className="grid gap-3.5 sm:grid-cols-2 xl:grid-cols-4">
        <RequestsTile trends={trends} parts={parts.requests} range={range} />
        <FailuresTile trends={trends} parts={parts.failures} range={range} />
        <ChargedTile trends={trends} parts={parts.charged} range={range} />
        <TimesTile trends={trends} parts={parts.times} />
      </div>
      <div className="flex min-h-18 flex-wrap content-start justify-between sm:min-h-11 xl:min-h-5 gap-x-8 gap-y-1.5 px-1">
        <Legend label={t("families")} entries={parts.requests.series} />
        <Legend label={t("failures")} entries={parts.failures.series} />
      </div>
      <Tables parts={parts} />
    </div>
  );
}

/** The values of the charts for those who read them as text. */
function Tables({ parts }: { parts: ReturnType<typeof useTrendParts> }) {
  const t = useTranslations("operator.overview.trends");
  const charts = useTranslations("charts");
  return (
    <Card aria-label={t("tables")}>
      <details>
        <summary className="px-5 py-2.5 text-muted text-sm hover:text-ink">{t("tables")}</summary>
        {tables.map((name) => (
          <div key={name}>
            <h2 id={`table-${name}`} className="sr-only">
              {t(name)}
            </h2>
            <ChartTable
              title={t("asTable", { name: t(name) })}
              labelledBy={`table-${name}`}
              time={t("from")}
              sum={name === "times" ? undefined : charts("sum")}
              columns={parts[name].columns}
              series={parts[name].series}
            />
          </div>
        ))}
      </details>
    </Card>
  );
}

interface TileProps {
  href: string;
  title: string;
  /** Undefined while loading. */
  value: ReactNode;
  note: ReactNode;
  parts: TrendParts;
  isLoaded: boolean;
  form?: "stack" | "lines";
  axisText: (value: number) => string;
}

function Tile({ href, title, value, note, parts, isLoaded, form = "stack", axisText }: TileProps) {
  const t = useTranslations("operator.overview.trends");
  return (
    <Card className="min-w-0">
      <Link href={href} className="block rounded-lg px-4 pt-3 pb-2.5 hover:bg-wash/60">
        <span className="flex items-center justify-between gap-2 text-muted text-sm">
          {title}
          <ArrowUpRight aria-hidden className="size-4 text-faint" />
        </span>
        <span className="flex min-h-8 flex-wrap items-baseline gap-x-2.5">
          {isLoaded ? (
            <>
              <span className="num font-medium text-xl">{value}</span>
              <span className="text-muted text-xs">{note}</span>
            </>
          ) : (
            <Skeleton className="my-1.5 h-5 w-32" />
          )}
        </span>
        <Chart
          className="mt-1.5 h-30"
          label={null}
          columns={isLoaded ? parts.columns : undefined}
          series={parts.series}
          form={form}
          axisText={axisText}
          empty={t("none")}
        />
      </Link>
    </Card>
  );
}

interface OneTile {
  trends: Trends | undefined;
  parts: TrendParts;
}

const sumOf = <Each,>(all: readonly Each[], countOf: (each: Each) => number) =>
  all.reduce((sum, each) => sum + countOf(each), 0);
const requestsOf = (trends: Trends | undefined) =>
  sumOf(trends?.families ?? [], ({ requests }) => requests);

function RequestsTile({ trends, parts, range }: OneTile & { range: TrendRange }) {
  const t = useTranslations("operator.overview.trends");
  const format = useFormatter();
  const axisText = useAxisText();
  const requests = requestsOf(trends);
  const before = trends?.requestsBefore ?? 0;
  const change = before === 0 ? null : requests / before - 1;
  return (
    <Tile
      href={`/admin/requests?range=${range}`}
      title={t("requests")}
      value={format.number(requests)}
      note={
        change === null
          ? null
          : t(`change.${range}`, {
              share: format.number(change, {
                style: "percent",
                maximumFractionDigits: 1,
                signDisplay: "exceptZero",
              }),
            })
      }
      parts={parts}
      isLoaded={trends !== undefined}
      axisText={axisText}
    />
  );
}

function FailuresTile({ trends, parts, range }: OneTile & { range: TrendRange }) {
  const t = useTranslations("operator.overview.trends");
  const format = useFormatter();
  const axisText = useAxisText();
  const failed = sumOf(trends?.failures ?? [], ({ requests }) => requests);
  const all = requestsOf(trends);
  const share = all === 0 ? 0 : failed / all;
  return (
    <Tile
      href={`/admin/requests?status=released&range=${range}`}
      title={t("failures")}
      value={format.number(failed)}
      note={t("ofRequests", {
        share: format.number(share, { style: "percent", maximumFractionDigits: 1 }),
      })}
      parts={parts}
      isLoaded={trends !== undefined}
      axisText={axisText}
    />
  );
}

const HOURS_PER_DAY = 24n;
const DAYS = { week: 7n, month: 30n };

function ChargedTile({ trends, parts, range }: OneTile & { range: TrendRange }) {
  const t = useTranslations("operator.overview.trends");
  const axisText = useAxisText();
  const charged = (trends?.families ?? []).reduce(
    (sum, each) => sum + readPoints(each.charged),
    0n,
  );
  const mean = charged / (range === "day" ? HOURS_PER_DAY : DAYS[range]);
  return (
    <Tile
      href="/admin/money"
      title={t("charged")}
      value={<PointsText value={formatPoints(charged)} />}
      note={t(range === "day" ? "anHour" : "aDay", { points: shortPoints(formatPoints(mean)) })}
      parts={parts}
      isLoaded={trends !== undefined}
      axisText={axisText}
    />
  );
}

function TimesTile({ trends, parts }: OneTile) {
  const listed = useListText();
  const t = useTranslations("operator.overview.trends");
  const families = useTranslations("families");
  const durationText = useDurationText();
  const axisTime = useAxisTime();
  const slowest = (trends?.families ?? [])
    .flatMap(({ family, p95Ms }) => (p95Ms === null ? [] : [{ family, p95Ms }]))
    .sort((a, b) => b.p95Ms - a.p95Ms);
  const [first, ...rest] = slowest;
  return (
    <Tile
      href="/admin/channels"
      title={first ? t("timesOf", { family: families(first.family) }) : t("times")}
      value={first ? durationText(first.p95Ms) : "–"}
      note={listed(rest.map(({ family, p95Ms }) => `${families(family)} ${durationText(p95Ms)}`))}
      parts={parts}
      form="lines"
      isLoaded={trends !== undefined}
      axisText={axisTime}
    />
  );
}
