import { cn } from "@/components/ui/class-names";
import type { ChartColumn, ChartSeries } from "./chart-parts";
import { Swatch } from "./legend";

interface ChartTipProps {
  column: ChartColumn;
  at: number;
  series: readonly ChartSeries[];
  /** On the left, where the column is in the right half. */
  isLeft: boolean;
}

/** The values of one column. Screen readers have them in the column's name and in the table. */
export function ChartTip({ column, at, series, isLeft }: ChartTipProps) {
  const named = series.filter(({ values }) => (values[at] ?? 0) > 0);
  return (
    <div
      aria-hidden
      className={cn(
        "pointer-events-none absolute top-1 z-10 min-w-40 max-w-60 rounded-md bg-ink px-3 py-2 text-paper text-xs shadow-float",
        isLeft ? "left-12" : "right-0",
      )}
    >
      <p className="flex justify-between gap-5 font-medium">
        <span>{column.long}</span>
        {column.total === undefined ? null : <span className="num">{column.total}</span>}
      </p>
      {named.length > 0 && (named.length > 1 || column.total === undefined) ? (
        <ul className="mt-1.5 grid gap-1 border-paper/25 border-t pt-1.5">
          {named.map(({ id, name, colour, texts }) => (
            <li key={id} className="flex items-center gap-2">
              <Swatch colour={colour} />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="num">{texts[at]}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
