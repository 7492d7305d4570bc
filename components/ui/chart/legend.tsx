import type { ReactNode } from "react";

/** A square in a series' colour. Drawn as a picture: the content policy takes no style attributes. */
export function Swatch({ colour }: { colour: string }) {
  return (
    <svg aria-hidden width={8} height={8} className="shrink-0">
      <rect width={8} height={8} rx={2} fill={colour} />
    </svg>
  );
}

interface LegendProps {
  /** What the list names, for screen readers. */
  label: string;
  entries: readonly {
    readonly id: string;
    readonly name: string;
    readonly colour: string;
    /** The sum of the series. */
    readonly value?: ReactNode;
  }[];
}

/** The names of the series, with their sums. */
export function Legend({ label, entries }: LegendProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {entries.map(({ id, name, colour, value }) => (
        <li key={id} className="flex min-w-0 items-center gap-2 text-muted">
          <Swatch colour={colour} />
          <span className="min-w-0 wrap-anywhere">{name}</span>
          {value === undefined ? null : <span className="num text-ink">{value}</span>}
        </li>
      ))}
    </ul>
  );
}
