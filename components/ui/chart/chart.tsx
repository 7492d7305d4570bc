import { cn } from "@/components/ui/class-names";
import { later } from "@/components/ui/later";
import { Skeleton } from "@/components/ui/skeleton";
import { type ChartProps, peakOf } from "./chart-parts";

/** The drawing's library is loaded where a chart is shown, after the page can be used. */
const Plot = later(() => import("./plot").then((module) => module.Plot), {
  waiting: <Skeleton className="size-full" />,
});

export function Chart({
  columns,
  series,
  form = "stack",
  empty,
  className = "h-44",
  ...rest
}: ChartProps) {
  const isEmpty = columns !== undefined && peakOf(series, columns.length, form, rest.ghost) === 0;
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
