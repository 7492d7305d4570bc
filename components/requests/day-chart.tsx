"use client";

import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { dayName } from "@/lib/client/days";
import { exactPoints, largestPoints, readPoints, shortPoints } from "@/lib/client/points-display";
import { type ChartDay, DayColumns } from "./day-columns";

/**
 * Column heights from 0 to 100. Only the drawing is fractional; the amounts beside it are exact.
 */
function heightsOf(days: readonly ChartDay[]): { top: string; heights: number[] } {
  const top = largestPoints(days.map(({ amount }) => amount));
  const highest = readPoints(top);
  return {
    top,
    heights: days.map(({ amount }) =>
      highest === 0n ? 0 : Number((readPoints(amount) * 100_000n) / highest) / 1000,
    ),
  };
}

/**
 * A column for each day. The arrow keys or the pointer select one, whose figures are shown above.
 */
export function DayChart({ days }: { days: readonly ChartDay[] }) {
  const t = useTranslations("usage.chart");
  const locale = useLocale();
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen === null ? null : Math.min(chosen, days.length - 1);
  const { top, heights } = heightsOf(days);
  const words = ({ day, amount, requests }: ChartDay) =>
    t("day", { day: dayName(day, locale, true), points: exactPoints(amount), count: requests });
  const last = days.length - 1;
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: (at ?? -1) + 1,
      ArrowLeft: (at ?? last + 1) - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setChosen(
      Math.max(
        0,
        Math.min(last, Math.floor(((event.clientX - box.left) / box.width) * days.length)),
      ),
    );
  };
  const shown = at === null ? undefined : days[at];
  return (
    <div className="px-5 pb-4">
      <p className="flex min-h-5 justify-between gap-3 text-muted text-xs">
        <span>{shown ? words(shown) : t("hint")}</span>
        <span className="num" title={exactPoints(top)}>
          {shortPoints(top)}
        </span>
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={t("label")}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={words(shown ?? (days[last] as ChartDay))}
        onKeyDown={move}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        className="mt-1 h-36 border-b border-b-line-strong bg-[linear-gradient(var(--line),var(--line))] bg-[length:100%_1px] bg-no-repeat"
      >
        <DayColumns days={days} heights={heights} at={at} />
      </div>
      <p className="num mt-1 flex justify-between text-faint text-xs">
        <span>{days[0] ? dayName(days[0].day, locale) : ""}</span>
        <span>{days[last] ? dayName(days[last].day, locale) : ""}</span>
      </p>
    </div>
  );
}
