"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import type { ChartColumn } from "./chart-parts";

interface ColumnButtonsProps {
  label: string | null;
  columns: readonly ChartColumn[];
  /** Called with the column at the pointer or with the focus. */
  onPoint: (at: number | null) => void;
  onChoose: ((column: ChartColumn) => void) | undefined;
  chosen: string | null;
}

const place = "absolute top-2 right-0 bottom-5.5 left-11.5 grid auto-cols-fr grid-flow-col";

/**
 * Lies over the columns. Where they can be chosen, each is a button; Tab reaches one of them, and the
 * arrow keys the others.
 */
export function ColumnButtons(props: ColumnButtonsProps) {
  const { label, columns, onPoint, onChoose, chosen } = props;
  const box = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const last = columns.length - 1;
  const tabStop = Math.min(reached ?? last, last);
  if (onChoose === undefined) {
    return (
      <div aria-hidden className={place} onPointerLeave={() => onPoint(null)}>
        {columns.map(({ id }, at) => (
          <span key={id} onPointerEnter={() => onPoint(at)} />
        ))}
      </div>
    );
  }
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: tabStop + 1,
      ArrowLeft: tabStop - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(last, next));
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
          onPointerEnter={() => onPoint(at)}
          onFocus={() => {
            setReached(at);
            onPoint(at);
          }}
          onBlur={() => onPoint(null)}
          onClick={() => onChoose(column)}
          className="min-w-0 rounded-sm outline-offset-0"
        />
      ))}
    </div>
  );
}
