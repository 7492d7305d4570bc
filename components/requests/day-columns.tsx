"use client";

export interface ChartDay {
  day: string;
  amount: string;
  requests: number;
}

/** The gap between columns: wider when there are few days. */
const gapOf = (days: number) => (days <= 10 ? 0.3 : 0.12);

interface DayColumnsProps {
  days: readonly ChartDay[];
  heights: readonly number[];
  /** The column that is chosen. */
  at: number | null;
}

export function DayColumns({ days, heights, at }: DayColumnsProps) {
  const gap = gapOf(days.length);
  return (
    <svg
      aria-hidden
      className="size-full"
      viewBox={`0 0 ${days.length} 100`}
      preserveAspectRatio="none"
    >
      {days.map(({ day, requests }, index) => (
        <g key={day} className={index === at ? "fill-signal" : "fill-ink/80"}>
          <rect
            x={index}
            y={0}
            width={1}
            height={100}
            className={index === at ? "fill-wash" : "fill-transparent"}
          />
          <rect
            x={index + gap}
            width={1 - 2 * gap}
            y={100 - Math.max(heights[index] ?? 0, requests > 0 ? 1 : 0)}
            height={Math.max(heights[index] ?? 0, requests > 0 ? 1 : 0)}
          />
        </g>
      ))}
    </svg>
  );
}
