"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import { seriesColours } from "@/components/requests/series-colours";
import type { ChartColumn, ChartGhost, ChartSeries } from "@/components/ui/chart/chart-parts";
import { useDurationText } from "@/components/ui/duration-text";
import { addDays, dayColumn, daysBetween } from "@/lib/client/days";
import { exactPoints, readPoints, shortPoints } from "@/lib/client/points-display";
import type { ChartGrouping } from "@/lib/contract/states";
import type { UsageChart } from "@/lib/contract/usage";
import { formatPoints } from "@/lib/money/points";

export const measures = ["points", "requests", "tokens", "latency", "firstToken"] as const;
export type Measure = (typeof measures)[number];

/** Times of several series have no sum. */
export const hasSums = (measure: Measure) => measure !== "latency" && measure !== "firstToken";

type Series = UsageChart["series"][number];
type Sums = Pick<
  Series,
  "charged" | "requests" | "inputTokens" | "outputTokens" | "latencyMs" | "firstTokenMs"
>;

/** For the drawing only. Null where nothing was measured. */
const measured: Record<Measure, (sums: Sums) => number | null> = {
  points: ({ charged }) => Number(charged),
  requests: ({ requests }) => requests,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  latency: ({ latencyMs }) => latencyMs,
  firstToken: ({ firstTokenMs }) => firstTokenMs,
};

/** A measured value in words. */
function useValueText(measure: Measure): (sums: Sums) => string {
  const format = useFormatter();
  const durationText = useDurationText();
  return (sums) => {
    if (measure === "points") return shortPoints(sums.charged);
    const value = measured[measure](sums);
    if (value === null) return "–";
    return hasSums(measure) ? format.number(value) : durationText(value);
  };
}

const nothing: Sums = {
  charged: "0.000000",
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  latencyMs: null,
  firstTokenMs: null,
};

const add = (sums: readonly Sums[]): Sums => ({
  ...nothing,
  charged: formatPoints(sums.reduce((sum, { charged }) => sum + readPoints(charged), 0n)),
  requests: sums.reduce((sum, { requests }) => sum + requests, 0),
  inputTokens: sums.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  outputTokens: sums.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
});

function useSeriesName(group: ChartGrouping): (series: Series) => string {
  const t = useTranslations("charts");
  const families = useTranslations("families");
  const filter = useTranslations("usage.filter");
  const members = useTranslations("keys");
  return ({ id, name }) => {
    if (id === null) return t("others");
    if (group === "family") return families(id as "text");
    if (group === "tag") return id === "" ? filter("noTag") : id;
    if (group === "member") return id === "" ? filter("nobody") : (name ?? members("formerMember"));
    return group === "model" ? id : id === "" ? filter("noKey") : (name ?? id);
  };
}

/** The sum of a measure over the range, beside that of as many days before it. */
export function useUsageTotals(
  total: Sums | undefined,
  before: Pick<Sums, "charged" | "requests" | "inputTokens" | "outputTokens"> | undefined,
  measure: Measure,
) {
  const format = useFormatter();
  const valueText = useValueText(measure);
  if (total === undefined || before === undefined) return null;
  const earlier = { ...nothing, ...before };
  const [now, then] = [measured[measure](total) ?? 0, measured[measure](earlier) ?? 0];
  const change = format.number(then === 0 ? 0 : now / then - 1, {
    style: "percent",
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  return {
    total: valueText(total),
    before: valueText(earlier),
    change: then === 0 ? null : change,
  };
}

type DaySums = Pick<Sums, "charged" | "requests" | "inputTokens" | "outputTokens">;

/** The days before, each under the day that it is compared with; null where that is not known. */
export function useGhost(
  { from, to }: { from: string; to: string },
  before: readonly (DaySums & { readonly id: string })[] | undefined,
  measure: Measure,
): ChartGhost | null {
  const t = useTranslations("charts");
  const valueText = useValueText(measure);
  if (before === undefined || !hasSums(measure)) return null;
  const days = daysBetween(from, to);
  const known = new Map(before.map((each) => [each.id, each]));
  const sums = days.map((day): Sums => ({ ...nothing, ...known.get(addDays(day, -days.length)) }));
  return {
    name: t("daysBefore", { count: days.length }),
    values: sums.map((each) => measured[measure](each) ?? 0),
    texts: sums.map(valueText),
  };
}

/** The columns and series of the usage chart, and the sums of each series over the whole range. */
export function useUsageChartParts(
  chart: UsageChart | undefined,
  { from, to }: { from: string; to: string },
  group: ChartGrouping,
  measure: Measure,
) {
  const t = useTranslations("charts");
  const locale = useLocale();
  const valueText = useValueText(measure);
  const nameOf = useSeriesName(group);
  const days = daysBetween(from, to);
  const given = chart?.series ?? [];
  const colours = seriesColours(
    group,
    given.map(({ id }) => id),
  );
  const perSeries = given.map((each) => {
    const known = new Map(each.days.map((sums) => [sums.day, sums]));
    return days.map((day): Sums => known.get(day) ?? nothing);
  });
  const series = given.map((each, at): ChartSeries & { sum: string } => ({
    id: each.id ?? "others",
    name: nameOf(each),
    colour: colours[at] ?? "var(--ink)",
    values: (perSeries[at] ?? []).map(measured[measure]),
    texts: (perSeries[at] ?? []).map(valueText),
    sum: valueText(each),
  }));
  const said = (day: string, sums: Sums, at: number) => {
    if (measure === "points")
      return t("day.points", { day, points: exactPoints(sums.charged), count: sums.requests });
    if (measure === "requests") return t("day.requests", { day, count: sums.requests });
    if (measure === "tokens")
      return t("day.tokens", { day, count: sums.inputTokens + sums.outputTokens });
    const times = series.filter(({ values }) => values[at] != null);
    if (times.length === 0) return t("day.none", { day });
    return t("day.times", {
      day,
      times: times.map(({ name, texts }) => `${name} ${texts[at]}`).join(", "),
    });
  };
  const columns = days.map((day, at): ChartColumn => {
    const sums = add(perSeries.map((each) => each[at] ?? nothing));
    const column = dayColumn(day, locale);
    return {
      ...column,
      total: hasSums(measure) ? valueText(sums) : undefined,
      said: said(column.long, sums, at),
    };
  });
  return { columns, series, total: chart && add(given) };
}
