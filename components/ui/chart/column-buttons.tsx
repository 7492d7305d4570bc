import { type KeyboardEvent, useRef, useState } from "react";
import type { ChartColumn } from "./chart-parts";
import { type Brushing, useBrush } from "./use-brush";

interface ColumnsProps {
  label: string | null;
  columns: readonly ChartColumn[];
  /** Called with the column at the pointer or with the focus. */
  onPoint: (at: number | null) => void;
}

interface ColumnButtonsProps extends ColumnsProps {
  /** With it, several columns can be marked and zoomed into. */
  brushing?: Brushing | undefined;
  onChoose: (column: ChartColumn) => void;
  chosen: string | null;
}

const place = "absolute top-2 right-0 bottom-5.5 left-11.5 grid auto-cols-fr grid-flow-col";

/** The column that a key leads to from the one at `at`; null for other keys. */
function stepOf({ key }: KeyboardEvent, at: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: last,
  };
  const next = steps[key];
  return next === undefined ? null : Math.max(0, Math.min(last, next));
}

/**
 * Lies over columns that are only read: one stop of Tab, in which the arrow keys go from column to
 * column. Without a label only the pointer reaches them.
 */
export function ColumnReader({ label, columns, onPoint }: ColumnsProps) {
  const last = columns.length - 1;
  const [reached, setReached] = useState(last);
  const at = Math.min(reached, last);
  const go = (to: number) => {
    setReached(to);
    onPoint(to);
  };
  const spans = columns.map(({ id }, each) => (
    <span key={id} onPointerEnter={() => onPoint(each)} />
  ));
  const leave = () => onPoint(null);
  if (label === null) {
    return (
      <div aria-hidden className={place} onPointerLeave={leave}>
        {spans}
      </div>
    );
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={columns.length}
      aria-valuenow={at + 1}
      aria-valuetext={columns[at]?.said}
      className={place}
      onFocus={() => go(at)}
      onBlur={leave}
      onPointerLeave={leave}
      onKeyDown={(event) => {
        const to = stepOf(event, at, last);
        if (to === null) return;
        event.preventDefault();
        go(to);
      }}
    >
      {spans}
    </div>
  );
}

/**
 * Lies over columns that can be chosen: each is a button. Tab reaches one of them, and the arrow keys
 * the others.
 */
export function ColumnButtons(props: ColumnButtonsProps) {
  const { label, columns, onPoint, onChoose, chosen, brushing } = props;
  const box = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const last = columns.length - 1;
  const tabStop = Math.min(reached ?? last, last);
  const drag = useBrush(brushing);
  const move = (event: KeyboardEvent) => {
    const to = stepOf(event, tabStop, last);
    if (to === null) return drag.press(event);
    event.preventDefault();
    drag.step(event.shiftKey, tabStop, to);
    setReached(to);
    box.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would name these buttons a form
    <div
      ref={box}
      role="group"
      aria-label={label ?? undefined}
      className={place}
      onPointerLeave={() => onPoint(null)}
      onKeyDown={move}
    >
      {columns.map((column, at) => (
        <button
          key={column.id}
          type="button"
          tabIndex={at === tabStop ? 0 : -1}
          aria-pressed={column.id === chosen}
          aria-label={column.said}
          onPointerDown={(event) => drag.begin(event, at)}
          onPointerEnter={() => {
            onPoint(at);
            drag.reach(at);
          }}
          onFocus={() => {
            setReached(at);
            onPoint(at);
          }}
          onBlur={() => onPoint(null)}
          onClick={() => onChoose(column)}
          className="min-w-0 touch-manipulation rounded-sm outline-offset-0"
        />
      ))}
    </div>
  );
}
