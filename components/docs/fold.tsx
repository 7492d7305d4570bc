import type { ReactNode } from "react";

/** A part of a long page that its reader opens. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="border-t pt-2.5">
      <summary className="rounded-sm text-sm hover:text-ink">
        <h3 className="inline font-medium">{title}</h3>
      </summary>
      {children}
    </details>
  );
}
