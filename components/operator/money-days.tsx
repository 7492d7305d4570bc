"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useAxisText } from "@/components/requests/use-axis-text";
import { Card, CardHead } from "@/components/ui/card";
import { Chart } from "@/components/ui/chart/chart";
import type { ChartColumn, ChartSeries } from "@/components/ui/chart/chart-parts";
import { ChartTable } from "@/components/ui/chart/chart-table";
import { Legend } from "@/components/ui/chart/legend";
import { Segmented } from "@/components/ui/segmented";
import { addDays, dayColumn, dayName, daysBetween } from "@/lib/client/days";
import { millionthsText } from "@/lib/client/money-text";
import { shortPoints } from "@/lib/client/points-display";
import type { MoneyView } from "@/lib/contract/operator-money";

const measures = ["charged", "margin", "outstanding", "requests"] as const;
type Measure = (typeof measures)[number];
const MILLIONTHS = 1_000_000;

interface MoneyDaysProps {
  money: MoneyView | undefined;
  days: number;
}

/** Charges, worth against cost, and the points that are owed, by day. */
export function MoneyDays({ money, days }: MoneyDaysProps) {
  const t = useTranslations("operator.money");
  const usage = useTranslations("usage");
  const charts = useTranslations("charts");
  const locale = useLocale();
  const [measure, setMeasure] = useState<Measure>("charged");
  const countText = useAxisText();
  const series = useSeries(money, days, measure);
  const columns = money
    ? daysOf(money, days).map(
        (day): ChartColumn => ({ ...dayColumn(day, locale), said: dayName(day, locale, true) }),
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

function useSeries(money: MoneyView | undefined, days: number, measure: Measure): ChartSeries[] {
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
  ): ChartSeries => {
    const found = all.map(read);
    return {
      id,
      name,
      colour,
      values: found.map(({ value }) => value),
      texts: found.map(({ text }) => text),
    };
  };
  const ofPoints = (points: string) => ({ value: Number(points), text: shortPoints(points) });
  const ofMoney = (amount: string | null | undefined) =>
    amount == null || money.currency === null
      ? { value: null, text: "–" }
      : {
          value: Number(amount) / MILLIONTHS,
          text: millionthsText(amount, money.currency, locale),
        };
  if (measure === "margin") {
    return [
      seriesOf("worth", t("worth"), "var(--ink)", (day) => ofMoney(charged.get(day)?.income)),
      seriesOf("cost", t("upstream"), "var(--bad)", (day) => ofMoney(charged.get(day)?.cost)),
    ];
  }
  const name = t(`measures.${measure}`);
  if (measure === "outstanding")
    return [seriesOf(measure, name, "var(--ink)", (day) => ofPoints(owed.get(day) ?? "0.000000"))];
  if (measure === "requests") {
    return [
      seriesOf(measure, name, "var(--ink)", (day) => {
        const requests = charged.get(day)?.requests ?? 0;
        return { value: requests, text: format.number(requests) };
      }),
    ];
  }
  return [
    seriesOf(measure, name, "var(--ink)", (day) =>
      ofPoints(charged.get(day)?.points ?? "0.000000"),
    ),
  ];
}
