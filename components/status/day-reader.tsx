"use client";

import { type KeyboardEvent, type ReactNode, useState } from "react";

interface DayReaderProps {
  label: string;
  /** The figures of each day, as text. */
  texts: readonly string[];
  first: string;
  today: string;
  /** The bars. */
  children: ReactNode;
}

/** Bars of days whose figures are read by pointer, by touch and by the arrow keys. */
export function DayReader({ label, texts, first, today, children }: DayReaderProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = texts.length - 1;
  const shown = at ?? last;
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, next)));
  };
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={texts[shown]}
        className="relative rounded-sm"
        onKeyDown={move}
        onFocus={() => setAt(shown)}
        onBlur={() => setAt(null)}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * texts.length))));
        }}
        onPointerLeave={() => setAt(null)}
      >
        {children}
        {at === null ? null : (
          <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
            <rect
              x={`${(at / texts.length) * 100}%`}
              width={`${100 / texts.length}%`}
              height="100%"
              className="fill-ink/25"
            />
          </svg>
        )}
      </div>
      <p aria-hidden className="mt-1 flex justify-between gap-3 text-faint text-xs">
        <span>{first}</span>
        <span className="num text-ink">{at === null ? null : texts[at]}</span>
        <span>{today}</span>
      </p>
    </>
  );
}
