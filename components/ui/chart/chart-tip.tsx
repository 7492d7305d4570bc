import type { ChartColumn, ChartGhost, ChartSeries } from "./chart-parts";
import { Swatch } from "./legend";
import { tipLeft } from "./place-tip";

interface ChartTipProps {
  column: ChartColumn;
  at: number;
  series: readonly ChartSeries[];
  ghost?: ChartGhost | null;
  /** How many columns there are. */
  count: number;
  /** Of the whole drawing. */
  width: number;
}

/** The values of one column. Screen readers have them in the column's name and in the table. */
export function ChartTip({ column, at, series, ghost = null, count, width }: ChartTipProps) {
  const named = series.filter(({ values }) => (values[at] ?? 0) > 0);
  // By script, since the content security policy takes no style attributes.
  const place = (tip: HTMLDivElement | null) => {
    if (tip) tip.style.left = `${tipLeft(at, count, width, tip.offsetWidth)}px`;
  };
  return (
    <div
      ref={place}
      data-tip
      aria-hidden
      className="pointer-events-none absolute top-1 left-0 z-10 w-max min-w-40 max-w-60 rounded-md bg-ink px-3 py-2 text-paper text-xs shadow-float"
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
      {ghost === null ? null : (
        <p className="mt-1.5 flex justify-between gap-5 border-paper/25 border-t pt-1.5">
          <span>{ghost.name}</span>
          <span className="num">{ghost.texts[at]}</span>
        </p>
      )}
    </div>
  );
}
