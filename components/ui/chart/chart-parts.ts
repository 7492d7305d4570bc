/** What is drawn: one column for each time, with a value of each series. */
export interface ChartColumn {
  readonly id: string;
  /** Below the axis, such as `21 Nov`. */
  readonly short: string;
  /** Above the values, such as `21 Nov 2026`. */
  readonly long: string;
  /** The value of the whole column in words; absent where values cannot be added. */
  readonly total?: string | undefined;
  /** The column with its values as a sentence, which names its button. */
  readonly said: string;
}

export interface ChartSeries {
  readonly id: string;
  readonly name: string;
  /** A CSS colour, which may use the theme's variables. */
  readonly colour: string;
  /** By column, for the drawing only; null where there is none. */
  readonly values: readonly (number | null)[];
  /** The same values in words. */
  readonly texts: readonly string[];
  /** Above each value of a line, the end of a band; null where there is none. */
  readonly tops?: readonly (number | null)[] | undefined;
}

/** The same measure of the time before, column by column, drawn as a line behind the values. */
export interface ChartGhost {
  readonly name: string;
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

/** `stack`: columns of all series together. `lines`: a line for each. */
export type ChartForm = "stack" | "lines";

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
  ghost?: ChartGhost | null | undefined;
  /** With it, some columns can be marked with the pointer, or with Shift and the arrow keys. */
  onBrush?: ((first: ChartColumn, last: ChartColumn) => void) | undefined;
  /** Sets the height, which is the same while the chart loads. */
  className?: string;
}

/** The sums of all series in each column, from the bottom up. */
export function columnSums(series: readonly ChartSeries[], columns: number): number[] {
  return Array.from({ length: columns }, (_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
}

/** The highest point of the drawing. */
export function peakOf(
  series: readonly ChartSeries[],
  columns: number,
  form: ChartForm,
  ghost?: ChartGhost | null,
): number {
  const heights =
    form === "stack"
      ? columnSums(series, columns)
      : series.flatMap(({ values, tops = [] }) => [...values, ...tops].map((value) => value ?? 0));
  return [...heights, ...(ghost?.values ?? [])].reduce(
    (highest, height) => Math.max(highest, height),
    0,
  );
}

/** Of `ticks` those that can be a value: where all values are whole, none has a part. */
export function shownTicks(ticks: readonly number[], series: readonly ChartSeries[]): number[] {
  const isWhole = series.every(({ values }) =>
    values.every((value) => value === null || Number.isInteger(value)),
  );
  return ticks.filter((tick) => !isWhole || Number.isInteger(tick));
}

/** Two columns in their order in the drawing. */
export type Brush = readonly [first: number, last: number];
export const brushOf = (from: number, to: number): Brush => [
  Math.min(from, to),
  Math.max(from, to),
];

/** The indexes of `count` of the columns at equal distances, the last one included. */
export function tickColumns(columns: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(columns / Math.max(1, count)));
  const ticks: number[] = [];
  for (let at = columns - 1; at >= 0; at -= step) ticks.unshift(at);
  return ticks;
}
