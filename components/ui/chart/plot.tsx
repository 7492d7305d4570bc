"use client";

import { useState } from "react";
import type { ChartColumn, ChartForm, ChartProps } from "./chart-parts";
import { ChartTip } from "./chart-tip";
import { ColumnButtons, ColumnReader } from "./column-buttons";
import { Drawing } from "./drawing";
import { useSize } from "./use-size";

type PlotProps = Omit<ChartProps, "columns" | "className" | "empty"> & {
  columns: readonly ChartColumn[];
  form: ChartForm;
};

/** The drawing, with a button for each column where columns can be chosen. */
export function Plot({ onChoose, chosen = null, ...drawn }: PlotProps) {
  const { label, columns, series } = drawn;
  const { box, width, height } = useSize();
  const [at, setAt] = useState<number | null>(null);
  const chosenAt = columns.findIndex(({ id }) => id === chosen);
  const column = at === null ? undefined : columns[at];
  return (
    <div ref={box} className="relative size-full">
      {/* As wide as the box was: it must not keep the page from becoming narrower. */}
      <div className="absolute inset-0 overflow-clip [overflow-clip-margin:1rem]">
        {width === 0 ? null : (
          <Drawing
            {...drawn}
            marked={at ?? (chosenAt === -1 ? null : chosenAt)}
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
        />
      )}
      {column && at !== null ? (
        <ChartTip column={column} at={at} series={series} count={columns.length} width={width} />
      ) : null}
    </div>
  );
}
