import { GridRows } from "@visx/grid";
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Axes } from "./axes";
import {
  type Brush,
  type ChartColumn,
  type ChartForm,
  type ChartGhost,
  type ChartSeries,
  peakOf,
  shownTicks,
} from "./chart-parts";
import { Ghost, Lines, Stacks } from "./marks";
import { PLOT_LEFT } from "./place-tip";

const edges = { top: 8, bottom: 22, left: PLOT_LEFT };
/** Lines behind the values: fewer where the drawing is low. */
const ticksFor = (height: number) => (height < 110 ? 2 : 4);
const gapOf = (columns: number) => (columns <= 10 ? 0.4 : columns <= 60 ? 0.22 : 0.1);

interface DrawingProps {
  columns: readonly ChartColumn[];
  series: readonly ChartSeries[];
  form: ChartForm;
  axisText: (value: number) => string;
  ghost?: ChartGhost | null | undefined;
  /** The columns that are chosen, or under the pointer. */
  marked: Brush | null;
  /** Of the whole drawing. */
  width: number;
  height: number;
}

/** The columns or lines, with axes. */
export function Drawing(props: DrawingProps) {
  const { columns, series, form, axisText, ghost = null, marked, width, height } = props;
  const inner = {
    width: Math.max(0, width - edges.left),
    height: Math.max(0, height - edges.top - edges.bottom),
  };
  const gap = gapOf(columns.length);
  const x = scaleBand({
    domain: columns.map(({ id }) => id),
    range: [0, inner.width],
    paddingInner: gap,
    paddingOuter: gap / 2,
  });
  const lines = ticksFor(inner.height);
  const peak = peakOf(series, columns.length, form, ghost);
  const y = scaleLinear({ domain: [0, peak || 1], range: [inner.height, 0], nice: lines });
  const ticks = shownTicks(y.ticks(lines), series);
  const Marks = form === "stack" ? Stacks : Lines;
  return (
    <svg aria-hidden width={width} height={height} className="block overflow-visible">
      <Group left={edges.left} top={edges.top}>
        {peak > 0 ? (
          <GridRows scale={y} width={inner.width} tickValues={ticks} stroke="var(--line)" />
        ) : null}
        {marked === null ? null : (
          <rect
            x={x.step() * marked[0]}
            width={x.step() * (marked[1] - marked[0] + 1)}
            height={inner.height}
            fill="var(--wash)"
          />
        )}
        {ghost === null ? null : <Ghost columns={columns} ghost={ghost} x={x} y={y} />}
        <Marks columns={columns} series={series} x={x} y={y} />
        <Axes
          x={x}
          y={peak > 0 ? y : null}
          ticks={ticks}
          columns={columns}
          size={inner}
          axisText={axisText}
        />
      </Group>
    </svg>
  );
}
