import { AxisBottom, AxisLeft } from "@visx/axis";
import type { scaleBand, scaleLinear } from "@visx/scale";
import { type ChartColumn, tickColumns } from "./chart-parts";

const TICK_WIDTH = 64;
const TEXT_SIZE = 11;
/** About as wide as it is drawn: letters of a fixed width, and Chinese ones as wide as they are high. */
const widthOf = (text: string) =>
  [...text].reduce((sum, each) => sum + (each > "\u2e80" ? TEXT_SIZE : 0.6 * TEXT_SIZE), 0);
const tickText = {
  fontFamily: "var(--font-mono)",
  fontSize: TEXT_SIZE,
  fill: "var(--muted)",
} as const;

interface AxesProps {
  x: ReturnType<typeof scaleBand<string>>;
  /** Null where all values are zero. */
  y: ReturnType<typeof scaleLinear<number>> | null;
  /** The values that are named at the left. */
  ticks: readonly number[];
  columns: readonly ChartColumn[];
  size: { width: number; height: number };
  axisText: (value: number) => string;
}

/** The values at the left, and the names of some columns below. */
export function Axes({ x, y, ticks, columns, size, axisText }: AxesProps) {
  const isNarrow = x.step() < TICK_WIDTH / 2;
  // The last name then ends with its column, half a name nearer to the one before.
  const widest = Math.max(...columns.map(({ short }) => widthOf(short)));
  const room = isNarrow ? Math.max(TICK_WIDTH, 1.5 * widest + 8) : TICK_WIDTH;
  const named = tickColumns(columns.length, Math.floor(size.width / room));
  const ids = named.map((index) => columns[index]?.id ?? "");
  const names = new Map(columns.map(({ id, short }) => [id, short]));
  return (
    <>
      {y === null ? null : (
        <AxisLeft
          scale={y}
          tickValues={[...ticks]}
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
