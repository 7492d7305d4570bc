import { useState } from "react";
import {
  type Brush,
  brushOf,
  type ChartColumn,
  type ChartForm,
  type ChartProps,
} from "./chart-parts";
import { ChartTip } from "./chart-tip";
import { ColumnButtons, ColumnReader } from "./column-buttons";
import { Drawing } from "./drawing";
import { useSize } from "./use-size";

type PlotProps = Omit<ChartProps, "columns" | "className" | "empty"> & {
  columns: readonly ChartColumn[];
  form: ChartForm;
};

/** The drawing, with a button for each column where columns can be chosen. */
export function Plot({ onChoose, onBrush, chosen = null, ...drawn }: PlotProps) {
  const { label, columns, series, ghost = null } = drawn;
  const { box, width, height } = useSize();
  const [at, setAt] = useState<number | null>(null);
  const [brush, setBrush] = useState<Brush | null>(null);
  const chosenAt = columns.findIndex(({ id }) => id === chosen);
  const pointed = at ?? (chosenAt === -1 ? null : chosenAt);
  const zoom = ([from, to]: Brush) => {
    const [first, last] = [columns[from], columns[to]];
    if (first && last) onBrush?.(first, last);
  };
  const column = at === null ? undefined : columns[at];
  return (
    <div ref={box} className="relative size-full">
      {/* As wide as the box was: it must not keep the page from becoming narrower. */}
      <div className="absolute inset-0 overflow-clip [overflow-clip-margin:1rem]">
        {width === 0 ? null : (
          <Drawing
            {...drawn}
            marked={brush ?? (pointed === null ? null : brushOf(pointed, pointed))}
            width={width}
            height={height}
          />
        )}
      </div>
      {onChoose === undefined ? (
        <ColumnReader label={label} columns={columns} onPoint={setAt} />
      ) : (
        <ColumnButtons
          label={label}
          columns={columns}
          onPoint={setAt}
          onChoose={onChoose}
          chosen={chosen}
          brushing={onBrush && { brush, setBrush, zoom }}
        />
      )}
      {column && at !== null ? (
        <ChartTip
          column={column}
          at={at}
          series={series}
          ghost={ghost}
          count={columns.length}
          width={width}
        />
      ) : null}
    </div>
  );
}
