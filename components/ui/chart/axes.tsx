"use client";

import { AxisBottom, AxisLeft } from "@visx/axis";
import type { scaleBand, scaleLinear } from "@visx/scale";
import { type ChartColumn, tickColumns } from "./chart-parts";

const TICK_WIDTH = 64;
const tickText = {
  fontFamily: "var(--font-mono)",
  fontSize: 11,
  fill: "var(--muted)",
} as const;

interface AxesProps {
  x: ReturnType<typeof scaleBand<string>>;
  /** Null where all values are zero. */
  y: ReturnType<typeof scaleLinear<number>> | null;
  ticks: number;
  columns: readonly ChartColumn[];
  size: { width: number; height: number };
  axisText: (value: number) => string;
}

/** The values at the left, and the names of some columns below. */
export function Axes({ x, y, ticks, columns, size, axisText }: AxesProps) {
  const named = tickColumns(columns.length, Math.floor(size.width / TICK_WIDTH));
  const ids = named.map((index) => columns[index]?.id ?? "");
  const names = new Map(columns.map(({ id, short }) => [id, short]));
  const isNarrow = x.step() < TICK_WIDTH / 2;
  return (
    <>
      {y === null ? null : (
        <AxisLeft
          scale={y}
          numTicks={ticks}
          hideAxisLine
          hideTicks
          tickFormat={(value) => axisText(Number(value))}
          tickLabelProps={{ ...tickText, textAnchor: "end", dx: -2, dy: 4 }}
        />
      )}
      <AxisBottom
        scale={x}
        top={size.height}
        stroke="var(--line-strong)"
        hideTicks
        tickValues={ids}
        tickFormat={(id) => names.get(id) ?? id}
        tickLabelProps={(id) =>
          isNarrow && id === ids.at(-1)
            ? { ...tickText, textAnchor: "end", dx: x.step() / 2, dy: -2 }
            : { ...tickText, textAnchor: "middle", dy: -2 }
        }
      />
    </>
  );
}
