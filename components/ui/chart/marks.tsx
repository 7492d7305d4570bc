import type { scaleBand, scaleLinear } from "@visx/scale";
import { Area, BarStack, LinePath } from "@visx/shape";
import type { ChartColumn, ChartGhost, ChartSeries } from "./chart-parts";

interface MarksProps {
  columns: readonly ChartColumn[];
  series: readonly ChartSeries[];
  x: ReturnType<typeof scaleBand<string>>;
  y: ReturnType<typeof scaleLinear<number>>;
}

/** What is not zero is seen, however small. */
const HEIGHT_MIN = 1;
/** There is space between the parts of a column. */
const GAP = 1;

/** The columns; the first series is on top. */
export function Stacks({ columns, series, x, y }: MarksProps) {
  const rows = columns.map(({ id }, at) => ({ id, at }));
  const order = series.toReversed();
  return (
    <BarStack
      data={rows}
      keys={order.map(({ id }) => id)}
      value={({ at }, key) => series.find(({ id }) => id === key)?.values[at] ?? 0}
      x={({ id }) => id}
      xScale={x}
      yScale={y}
      color={(key) => series.find(({ id }) => id === key)?.colour ?? "var(--ink)"}
    >
      {(stacks) =>
        stacks.map(({ key, bars }) =>
          bars.map((bar) =>
            bar.bar[1] > bar.bar[0] ? (
              <rect
                key={`${key} ${bar.index}`}
                x={bar.x}
                y={bar.y + bar.height - Math.max(bar.height - GAP, HEIGHT_MIN)}
                width={bar.width}
                height={Math.max(bar.height - GAP, HEIGHT_MIN)}
                fill={bar.color}
              />
            ) : null,
          ),
        )
      }
    </BarStack>
  );
}

/** What was before, as a step over each column. */
export function Ghost({
  columns,
  ghost,
  x,
  y,
}: Omit<MarksProps, "series"> & { ghost: ChartGhost }) {
  return columns.map(({ id }, at) => {
    const value = ghost.values[at] ?? 0;
    if (value === 0) return null;
    const [left, top] = [x(id) ?? 0, y(value)];
    return (
      <rect
        key={id}
        x={left - 1}
        y={top}
        width={x.bandwidth() + 2}
        height={Math.max(0, y(0) - top)}
        fill="none"
        stroke="var(--control)"
        strokeDasharray="3 3"
      />
    );
  });
}

/** From the values of a line up to its tops. */
function Band({ columns, values, tops, colour, x, y }: BandProps) {
  const points = columns.map(({ id }, at) => ({ id, low: values[at], high: tops[at] }));
  return (
    <Area
      data={points}
      defined={({ low, high }) => low != null && high != null}
      x={({ id }) => (x(id) ?? 0) + x.bandwidth() / 2}
      y0={({ low }) => y(low ?? 0)}
      y1={({ high }) => y(high ?? 0)}
      fill={colour}
      opacity={0.14}
    />
  );
}

type BandProps = Omit<MarksProps, "series"> &
  Pick<ChartSeries, "values" | "colour"> & { tops: readonly (number | null)[] };

/** A line for each series, with its band; a value without a neighbour is a dot. */
export function Lines({ columns, series, x, y }: MarksProps) {
  return series.toReversed().map(({ id, colour, values, tops }) => {
    const dots = columns.flatMap((column, at) => {
      const value = values[at];
      return value == null
        ? []
        : [{ at, left: (x(column.id) ?? 0) + x.bandwidth() / 2, top: y(value) }];
    });
    return (
      <g key={id}>
        {tops ? <Band {...{ columns, values, tops, colour, x, y }} /> : null}
        <LinePath
          data={columns.map((column, at) => ({ column, value: values[at] ?? null }))}
          defined={({ value }) => value !== null}
          x={({ column }) => (x(column.id) ?? 0) + x.bandwidth() / 2}
          y={({ value }) => y(value ?? 0)}
          stroke={colour}
          strokeWidth={1.75}
        />
        {dots.map(({ at, left, top }) => (
          <circle key={at} cx={left} cy={top} r={2.25} fill={colour} />
        ))}
      </g>
    );
  });
}
