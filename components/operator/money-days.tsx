import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useAxisText } from "@/components/requests/use-axis-text";
import { Card, CardHead } from "@/components/ui/card";
import { Chart } from "@/components/ui/chart/chart";
import type { ChartColumn, ChartSeries } from "@/components/ui/chart/chart-parts";
import { ChartTable } from "@/components/ui/chart/chart-table";
import { Legend } from "@/components/ui/chart/legend";
import { Segmented } from "@/components/ui/segmented";
import { useListText } from "@/components/ui/use-list-text";
import { addDays, dayColumn, dayName, daysBetween } from "@/lib/client/days";
import { millionthsText } from "@/lib/client/money-text";
import { readPoints, shortPoints } from "@/lib/client/points-display";
import type { MoneyView } from "@/lib/contract/operator-money";
import { formatPoints } from "@/lib/money/points";

const measures = ["charged", "margin", "outstanding", "requests"] as const;
type Measure = (typeof measures)[number];
const MILLIONTHS = 1_000_000;

interface MoneyDaysProps {
  money: MoneyView | undefined;
  days: number;
}

/** Charges, worth against cost, and the points that are owed, by day. */
export function MoneyDays({ money, days }: MoneyDaysProps) {
  const listed = useListText();
  const t = useTranslations("operator.money");
  const usage = useTranslations("usage");
  const charts = useTranslations("charts");
  const locale = useLocale();
  const [measure, setMeasure] = useState<Measure>("charged");
  const countText = useAxisText();
  const series = useSeries(money, days, measure);
  const columns = money
    ? daysOf(money, days).map(
        (day, at): ChartColumn => ({
          ...dayColumn(day, locale),
          said: listed([
            dayName(day, locale, true),
            ...series.map(({ name, texts }) => `${name} ${texts[at]}`),
          ]),
        }),
      )
    : undefined;
  return (
    <Card aria-labelledby="consumption">
      <CardHead id="consumption" title={t("byDay")} note={t(`byDayNotes.${measure}`)}>
        <Segmented
          label={charts("measure")}
          value={measure}
          onChange={setMeasure}
          className="max-sm:grid max-sm:w-full max-sm:grid-cols-2"
          options={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
        />
      </CardHead>
      <div className="px-5 pb-3">
        <Chart
          label={t("byDayLabel", { measure: t(`measures.${measure}`) })}
          columns={columns}
          series={series}
          form={measure === "margin" ? "lines" : "stack"}
          axisText={countText}
          empty={t(measure === "margin" ? "noMargin" : "noCharges")}
        />
        <div className="mt-2.5 min-h-5">
          <Legend label={charts("series")} entries={series} />
        </div>
      </div>
      <ChartTable
        title={usage("asTable")}
        labelledBy="consumption"
        time={charts("dayHead")}
        columns={columns ?? []}
        series={series}
      />
    </Card>
  );
}

const daysOf = ({ from }: MoneyView, days: number) => daysBetween(from, addDays(from, days - 1));

/** A series, with its sum where its values have one. */
type SummedSeries = ChartSeries & { readonly value?: string };

function sumsOf({ days }: MoneyView) {
  const sum = (read: (day: MoneyView["days"][number]) => bigint) =>
    days.reduce((all, day) => all + read(day), 0n);
  return {
    points: formatPoints(sum(({ points }) => readPoints(points))),
    requests: days.reduce((all, { requests }) => all + requests, 0),
    income: String(sum(({ income }) => BigInt(income ?? 0))),
    cost: String(sum(({ cost }) => BigInt(cost ?? 0))),
  };
}

function useSeries(money: MoneyView | undefined, days: number, measure: Measure): SummedSeries[] {
  const t = useTranslations("operator.money");
  const format = useFormatter();
  const locale = useLocale();
  if (money === undefined) return [];
  const all = daysOf(money, days);
  const charged = new Map(money.days.map((each) => [each.day, each]));
  const owed = new Map(money.outstanding.map(({ day, points }) => [day, points]));
  const seriesOf = (
    id: string,
    name: string,
    colour: string,
    read: (day: string) => { value: number | null; text: string },
    sum?: string,
  ): SummedSeries => {
    const found = all.map(read);
    return {
      id,
      name,
      colour,
      values: found.map(({ value }) => value),
      texts: found.map(({ text }) => text),
      ...(sum !== undefined && { value: sum }),
    };
  };
  const sums = sumsOf(money);
  const ofPoints = (points: string) => ({ value: Number(points), text: shortPoints(points) });
  const ofMoney = (amount: string | null | undefined) =>
    amount == null || money.currency === null
      ? { value: null, text: "–" }
      : {
          value: Number(amount) / MILLIONTHS,
          text: millionthsText(amount, money.currency, locale),
        };
  if (measure === "margin") {
    const worth = (day: string) => ofMoney(charged.get(day)?.income);
    const cost = (day: string) => ofMoney(charged.get(day)?.cost);
    return [
      seriesOf("worth", t("worth"), "var(--ink)", worth, ofMoney(sums.income).text),
      seriesOf("cost", t("upstream"), "var(--bad)", cost, ofMoney(sums.cost).text),
    ];
  }
  const name = t(`measures.${measure}`);
  if (measure === "outstanding")
    return [seriesOf(measure, name, "var(--ink)", (day) => ofPoints(owed.get(day) ?? "0.000000"))];
  if (measure === "requests") {
    const read = (day: string) => {
      const requests = charged.get(day)?.requests ?? 0;
      return { value: requests, text: format.number(requests) };
    };
    return [seriesOf(measure, name, "var(--ink)", read, format.number(sums.requests))];
  }
  return [
    seriesOf(
      measure,
      name,
      "var(--ink)",
      (day) => ofPoints(charged.get(day)?.points ?? "0.000000"),
      shortPoints(sums.points),
    ),
  ];
}
