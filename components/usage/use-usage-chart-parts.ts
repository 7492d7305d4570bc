import { useFormatter, useLocale, useTranslations } from "next-intl";
import { seriesColours } from "@/components/requests/series-colours";
import type { ChartColumn, ChartGhost, ChartSeries } from "@/components/ui/chart/chart-parts";
import { addDays, dayColumn, daysBetween } from "@/lib/client/days";
import { exactPoints } from "@/lib/client/points-display";
import type { ChartGrouping } from "@/lib/contract/states";
import type { UsageChart } from "@/lib/contract/usage-chart";
import {
  add,
  hasSums,
  type Measure,
  measured,
  nothing,
  type Series,
  type Sums,
  slowest,
  useValueText,
} from "./chart-measures";

interface Grouping {
  readonly group: ChartGrouping;
  readonly thenBy: ChartGrouping | undefined;
}

function useSeriesName({ group, thenBy }: Grouping): (series: Series) => string {
  const t = useTranslations("charts");
  const families = useTranslations("families");
  const filter = useTranslations("usage.filter");
  const members = useTranslations("keys");
  const partName = (by: ChartGrouping, id: string, name: string | null) => {
    if (by === "family") return families(id as "text");
    if (by === "tag") return id === "" ? filter("noTag") : id;
    if (by === "member") return id === "" ? filter("nobody") : (name ?? members("formerMember"));
    return by === "model" ? id : id === "" ? filter("noKey") : (name ?? id);
  };
  return ({ id, name, second }) => {
    if (id === null) return t("others");
    const first = partName(group, id, name);
    return thenBy === undefined || second === null
      ? first
      : `${first} · ${partName(thenBy, second.id, second.name)}`;
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
  by: Grouping,
  measure: Measure,
) {
  const t = useTranslations("charts");
  const locale = useLocale();
  const valueText = useValueText(measure);
  const nameOf = useSeriesName(by);
  const days = daysBetween(from, to);
  const given = chart?.series ?? [];
  const colours = seriesColours(
    by.group,
    given.map(({ id }) => id),
  );
  const perSeries = given.map((each) => {
    const known = new Map(each.days.map((sums) => [sums.day, sums]));
    return days.map((day): Sums => known.get(day) ?? nothing);
  });
  const series = given.map((each, at): ChartSeries & { sum: string } => ({
    id: each.id === null ? "others" : [each.id, each.second?.id ?? []].flat().join("\u001f"),
    name: nameOf(each),
    colour: colours[at] ?? "var(--ink)",
    values: (perSeries[at] ?? []).map(measured[measure]),
    tops: hasSums(measure)
      ? undefined
      : (perSeries[at] ?? []).map((sums) => slowest(measure, sums)),
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
