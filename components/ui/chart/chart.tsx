"use client";

import dynamic from "next/dynamic";
import { cn } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import { type ChartColumn, type ChartForm, type ChartSeries, peakOf } from "./chart-parts";

export interface ChartProps {
  /**
   * What the chart shows, for screen readers; its values are in a table beside it. Null where the
   * text around it says so.
   */
  label: string | null;
  /** Undefined while they load. */
  columns: readonly ChartColumn[] | undefined;
  series: readonly ChartSeries[];
  form?: ChartForm;
  /** A value of the axis in words. */
  axisText: (value: number) => string;
  /** Shown in place of the values when all are zero. */
  empty: string;
  /** Names the button of a column; with it, a column can be chosen. */
  onChoose?: ((column: ChartColumn) => void) | undefined;
  /** The id of the column that is chosen. */
  chosen?: string | null | undefined;
  /** Sets the height, which is the same while the chart loads. */
  className?: string;
}

/** The drawing's library is loaded where a chart is shown, after the page can be used. */
const Plot = dynamic(() => import("./plot").then((module) => module.Plot), {
  ssr: false,
  loading: () => <Skeleton className="size-full" />,
});

export function Chart({
  columns,
  series,
  form = "stack",
  empty,
  className = "h-44",
  ...rest
}: ChartProps) {
  const isEmpty = columns !== undefined && peakOf(series, columns.length, form) === 0;
  return (
    <div className={cn("relative min-w-0", className)}>
      {columns === undefined ? (
        <Skeleton className="size-full" />
      ) : (
        <Plot columns={columns} series={series} form={form} {...rest} />
      )}
      {isEmpty ? (
        <p className="pointer-events-none absolute inset-0 grid place-content-center px-12 text-center text-muted text-sm">
          {empty}
        </p>
      ) : null}
    </div>
  );
}
